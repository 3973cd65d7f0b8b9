import { describe, expect, it } from 'vitest';
import { casesSideBySide } from '../../../src/core/comparison/compared-case.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { CaseRecord, RunRecord } from '../../../src/core/record/run-record.ts';
import { keyOf } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

describe('an endpoint whose path changed', () => {
  it('is limited by the path of the baseline, and accepted by that of the candidate', () => {
    const record = madeUpRecord({ seed: 5, cases: [{ endpoint: 'users' }] });
    const spec = { ...record.spec, endpoints: [{ ...record.spec.endpoints[0]!, path: '/slow/users' }] };
    const candidates = record.cases.filter(({ variant }) => variant === 'candidate');
    expect(casesSideBySide([], candidates, spec, { users: '/users' })[0]).toMatchObject({
      names: [keyOf({ endpoint: 'users' }), 'go', '/slow/users', 'users'],
      limitNames: [keyOf({ endpoint: 'users' }), 'go', '/users'],
    });
  });
});

describe('a candidate that has another request in its spec than the one that it was asked', () => {
  /** Its case was lost with these reasons. */
  function lost(codes: string[], ownRequests: Record<string, string> = { 'go/ping': 'GET /v2/ping' }): RunRecord {
    const record = madeUpRecord({ seed: 5, rounds: 10, comparing: { ownRequests }, cases: [{}] });
    const reasons = codes.map((code) => ({ code, message: `go: ${code}` }));
    const cases = record.cases.map((each): CaseRecord => {
      return each.variant === 'baseline' ? each : { ...each, status: 'invalid', reasons, metrics: {} };
    });
    return { ...record, cases };
  }
  const gateOf = (record: RunRecord) =>
    comparisonOf(record, { accepted: [{ cases: 'go/ping/*', metric: null, reason: 'moved' }] }).gate;

  it('and does not answer that has removed the case, which somebody may accept by its name', () => {
    const { cases, gate } = comparisonOf(lost(['unexpected-body']));
    expect(cases[0]!.presence).toBe('missing');
    expect(gate.invalid).toEqual([
      {
        caseKey: keyOf({}),
        metric: null,
        message:
          "candidate: go: unexpected-body. That is the baseline's request; the candidate's spec has GET /v2/ping instead, and nothing compares that. Answer the old request as well, or accept its removal by name.",
      },
    ]);
    expect(gateOf(lost(['unexpected-body']))).toMatchObject({
      passed: true,
      accepted: [
        {
          message:
            "candidate: go: unexpected-body. That is the baseline's request; the candidate's spec has GET /v2/ping instead, and nothing compares that.",
          reason: 'moved',
        },
      ],
    });
  });

  it.each([
    ['where something else befell it', lost(['unexpected-body', 'exited'])],
    ['where only another endpoint has another request', lost(['unexpected-body'], { 'go/pong': 'GET /v2/pong' })],
    ['where its spec has the same request', lost(['unexpected-body'], {})],
  ])('is not accepted away %s', (_, record) => {
    expect(gateOf(record)).toMatchObject({ passed: false, invalid: [{ caseKey: keyOf({}) }], accepted: [] });
  });
});
