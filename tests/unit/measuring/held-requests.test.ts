import { describe, expect, it } from 'vitest';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { comparingRun, smallSpec } from '../support/comparing.ts';

const CASE = 'go/ping/direct/wrk/keep-alive/100';
const served = (changes: Partial<ResolvedSpec['services'][number]>): ResolvedSpec => {
  const spec = smallSpec();
  return { ...spec, services: spec.services.map((service) => ({ ...service, ...changes })) };
};

describe('a candidate that asks a service in another protocol', () => {
  const both = { candidate: served({ protocol: 'h2' }), baseline: served({}) };

  it('is measured by itself, beside a case of the baseline’s that is gone', async () => {
    const { record, comparison } = await comparingRun({ ...both, budgetSeconds: 20 });
    expect(record.cases.map(({ key, variant, status }) => [key, variant, status])).toEqual([
      [CASE, 'candidate', 'valid'],
      [CASE, 'baseline', 'invalid'],
    ]);
    expect(comparison.cases.map(({ presence }) => presence)).toEqual(['missing']);
    expect(comparison.gate).toMatchObject({ passed: false, new: [] });
    expect(comparison.gate.invalid).toEqual([
      {
        caseKey: CASE,
        metric: null,
        message:
          "The baseline's request of this case is gone: what the candidate is asked under its name is another one, and the two are not compared. Put it back, or accept its removal by name.",
      },
    ]);
  });

  it('passes once somebody accepts that by name', async () => {
    const accepted = [{ cases: 'go', metric: null, reason: 'HTTP/2 from now on' }];
    const { comparison } = await comparingRun({ ...both, budgetSeconds: 20, accepted });
    expect(comparison.gate).toMatchObject({ passed: true, accepted: [{ caseKey: CASE, metric: null }] });
  });
});

describe('a candidate with another base path', () => {
  it('is compared by the requests of the baseline, on both sides', async () => {
    const { record, comparison } = await comparingRun({
      candidate: served({ basePath: '/quick' }),
      baseline: served({}),
    });
    expect(record.spec.services[0]!.basePath).toBe('');
    expect(record.comparing!.ownRequests).toEqual({ 'go/ping': 'GET /quick/ping' });
    expect(record.comparing!.warnings.map(({ code }) => code)).toEqual(['requests-differ']);
    expect(comparison.cases.map(({ presence, reasons }) => [presence, reasons])).toEqual([['both', []]]);
  });
});
