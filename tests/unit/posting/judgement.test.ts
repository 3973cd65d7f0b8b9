import { describe, expect, it } from 'vitest';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { rejudged } from '../../../src/core/posting/judgement.ts';
import { runVerdict } from '../../../src/core/posting/verdict.ts';
import type { MadeUpRecord } from '../../support/made-up/run-record.ts';
import { known, recordOf, slower } from './made-up.ts';

const KEY = 'go/ping/direct/wrk/keep-alive/100';

const loose: ResolvedSpec['gate']['metrics'] = { 'cpu-per-request': { maxIncrease: { kind: 'ratio', value: 5 } } };

describe('a record from a stranger', () => {
  it('is judged by the limits of the base, whatever it says its own are', () => {
    const record = recordOf({ ...slower, gate: { metrics: loose } });
    expect(runVerdict(rejudged(record, known({ baseSpec: record.spec })))).toBe('no-change');
    expect(runVerdict(rejudged(record, known()))).toBe('regression');
  });

  it('is not believed what it says was accepted', () => {
    const accepted = [{ cases: '*', metric: null, reason: 'I say so' }];
    const record = recordOf({ ...slower, comparing: { accepted } });
    expect(runVerdict(rejudged(record, known()))).toBe('regression');
    expect(runVerdict(rejudged(recordOf(slower), known({ accepted })))).toBe('accepted');
  });

  it('is invalid where it lacks a case that it was to measure', () => {
    const record = recordOf({ rounds: 20 });
    const spec = {
      ...record.spec,
      load: { ...record.spec.load, wrk: { ...record.spec.load.wrk!, connections: [100, 1000] } },
    };
    const judged = rejudged({ ...record, spec }, known({ baseSpec: spec }));
    expect(judged.comparison!.gate.invalid).toEqual([
      {
        caseKey: 'go/ping/direct/wrk/keep-alive/1000',
        metric: null,
        message: 'It was to be measured, and the record lacks it.',
      },
    ]);
    expect(judged.comparison!.gate.passed).toBe(false);
  });

  it('is invalid where it lacks a service that the base has', () => {
    const record = recordOf({ rounds: 20 });
    const base = { ...record.spec, services: [...record.spec.services, { ...record.spec.services[0]!, name: 'rust' }] };
    const judged = rejudged(record, known({ baseSpec: base }));
    expect(judged.comparison!.gate.invalid.map(({ caseKey }) => caseKey)).toEqual([
      'rust/ping/direct/wrk/keep-alive/100',
    ]);
  });

  it('lacks nothing that was left out on purpose', () => {
    const record = recordOf({ rounds: 20 });
    const base = { ...record.spec, services: [...record.spec.services, { ...record.spec.services[0]!, name: 'rust' }] };
    expect(runVerdict(rejudged(record, known({ baseSpec: base, only: 'go' })))).toBe('no-change');
  });

  it('is unverified where it compares with nothing although the base has the spec', () => {
    const record = recordOf({ comparing: null, cases: [{ only: 'candidate' }] });
    const judged = rejudged(record, known());
    expect(runVerdict(judged)).toBe('unverified');
    expect(judged.unverified).toBe('The base has this spec, and the run compares with nothing.');
  });

  it('is a first measurement where nobody wanted it to be more', () => {
    const record = recordOf({ comparing: null, cases: [{ only: 'candidate' }] });
    expect(runVerdict(rejudged(record, known({ withoutBaseline: true })))).toBe('first-measurement');
  });

  it('is a first measurement where the base has no such spec', () => {
    const record = recordOf({ comparing: null, cases: [{ only: 'candidate' }] });
    expect(runVerdict(rejudged(record, known({ baseSpec: null })))).toBe('first-measurement');
  });

  it('is accepted without a comparison, beyond an absolute limit, where somebody accepted that, and not where it says so', () => {
    const gate = { metrics: { throughput: { min: 1e9 } } };
    const record = recordOf({ comparing: null, gate, cases: [{ only: 'candidate' }] });
    const accepted = [{ cases: '/ping', metric: 'throughput', reason: 'label set by alice' }];
    const side = { recordId: null, sha: null, text: 'working tree' };
    const unpaired = { wanted: 'auto', baseline: null, candidate: side, warnings: [], failed: false, accepted };
    const first = { baseSpec: null };
    expect(runVerdict(rejudged({ ...record, unpaired }, known(first)))).toBe('regression');
    expect(runVerdict(rejudged(record, known({ ...first, accepted })))).toBe('accepted');
  });

  const better: Partial<MadeUpRecord> = { rounds: 20, cases: [{ ratios: { 'cpu-per-request': 0.4 } }] };
  const [ping] = recordOf().spec.endpoints;
  const [go] = recordOf().spec.services;
  const inGateway = (config: string): Partial<ResolvedSpec> => ({
    gateway: { kind: 'nginx', image: 'nginx:1', config },
  });

  it.each<[string, Partial<ResolvedSpec>]>([
    ['a cheaper path', { endpoints: [{ ...ping!, path: '/quick' }] }],
    ['another base path', { services: [{ ...go!, basePath: '/quick' }] }],
    ['another query', { endpoints: [{ ...ping!, path: '/ping?limit=1' }] }],
    ['another header', { endpoints: [{ ...ping!, headers: { 'if-none-match': '"1"' } }] }],
    ['another method', { endpoints: [{ ...ping!, method: 'HEAD' }] }],
    ['another body', { endpoints: [{ ...ping!, body: '{}' }] }],
    ['another protocol', { services: [{ ...go!, protocol: 'h2' }] }],
    ['a script', { load: { ...recordOf().spec.load, wrk: { ...recordOf().spec.load.wrk!, script: 'less.lua' } } }],
    [
      'another timeout',
      { load: { ...recordOf().spec.load, wrk: { ...recordOf().spec.load.wrk!, timeoutSeconds: 60 } } },
    ],
  ])('is no success where it asked the base’s request with %s', (_, changes) => {
    const record = recordOf(better);
    const other = { ...record, spec: { ...record.spec, ...changes } };
    const { comparison } = rejudged(other, known());
    expect(comparison!.gate).toMatchObject({ passed: false, invalid: [{ caseKey: KEY, metric: null }] });
    expect(runVerdict(rejudged(other, known({ failOnInconclusive: true })))).toBe('invalid');
    expect(runVerdict(rejudged(record, known()))).toBe('improvement');
  });

  it('says what it asked instead of what, and passes where somebody accepts by name that this is gone', () => {
    const record = recordOf(better);
    const other = { ...record, spec: { ...record.spec, endpoints: [{ ...ping!, path: '/quick' }] } };
    const message =
      "The baseline's request of this case is gone: what the candidate is asked under its name is another one (GET /quick instead of GET /ping), and the two are not compared.";
    expect(rejudged(other, known()).comparison!.gate.invalid).toEqual([
      { caseKey: KEY, metric: null, message: `${message} Put it back, or accept its removal by name.` },
    ]);
    const accepted = [{ cases: 'go/ping/*', metric: null, reason: 'moved' }];
    expect(rejudged(other, known({ accepted })).comparison!.gate).toMatchObject({
      passed: true,
      accepted: [{ message }],
    });
    const all = [{ cases: '*', metric: null, reason: 'moved' }];
    expect(rejudged(other, known({ accepted: all })).comparison!.gate.passed).toBe(false);
  });

  it('is no success where its gateway is configured by another file, for what goes through that', () => {
    const record = recordOf(better);
    const configured = (config: string) => ({ ...record.spec, ...inGateway(config) });
    const judged = rejudged(
      { ...record, spec: configured('cached.conf') },
      known({ baseSpec: configured('plain.conf') }),
    );
    expect(judged.comparison!.gate.invalid.map(({ caseKey }) => caseKey)).toEqual([KEY.replace('direct', 'gateway')]);
  });

  it('is no success where it says that nothing was to be measured, and has another request', () => {
    const skipped = { code: 'same-on-both-sides', message: 'Not measured.' };
    const record = recordOf({ cases: [], comparing: { skipped } });
    const other = { ...record, spec: { ...recordOf().spec, endpoints: [{ ...ping!, path: '/quick' }] } };
    expect(runVerdict(rejudged(record, known()))).toBe('same');
    expect(runVerdict(rejudged(other, known()))).toBe('invalid');
  });

  it('is no success where its own words say that the requests are the same', () => {
    const record = recordOf({ ...better, comparing: { ownRequests: { 'go/ping': 'GET /ping' } } });
    const other = { ...record, spec: { ...record.spec, endpoints: [{ ...ping!, path: '/quick' }] } };
    expect(runVerdict(rejudged(other, known()))).toBe('invalid');
  });

  it('is judged by what was asked where the base writes the same request in other parts', () => {
    const record = recordOf({ rounds: 20 });
    const endpoints = [{ ...ping!, path: '/ping' }];
    const base = { ...record.spec, services: [{ ...go!, basePath: '/api' }], endpoints };
    const other = { ...record, spec: { ...record.spec, endpoints: [{ ...ping!, path: '/api/ping' }] } };
    expect(runVerdict(rejudged(other, known({ baseSpec: base })))).toBe('no-change');
  });

  it('is unverified where anything else speaks against it', () => {
    const doubts = ['the record is of 1234567, and the run was of 89abcde', 'it changes how it is measured'];
    expect(rejudged(recordOf({ rounds: 20 }), known({ doubts })).unverified).toBe(
      'The record is of 1234567, and the run was of 89abcde; it changes how it is measured.',
    );
  });
});
