import { describe, expect, it } from 'vitest';
import type { Acceptance } from '../../../src/core/comparison/comparison.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { keyOf, type MadeUpCase } from '../../support/made-up/case-record.ts';
import { type MadeUpRecord, madeUpRecord } from '../../support/made-up/run-record.ts';

const CONNECTIONS = [100, 200, 400, 800];
const wrk = (endpoint: string, cpu = 1): MadeUpCase[] =>
  CONNECTIONS.map((connections) => ({ endpoint, connections, ratios: { 'cpu-per-request': cpu } }));
const gate = { metrics: { 'cpu-per-request': { maxIncrease: { kind: 'ratio' as const, value: 0.03 } } } };
const recordOf = (made: Partial<MadeUpRecord>) =>
  madeUpRecord({ seed: 5, rounds: 10, gate, cases: wrk('ping'), ...made });
const gateOf = (made: Partial<MadeUpRecord>, accepted: Acceptance[] = []) =>
  comparisonOf(recordOf(made), { accepted }).gate;
const keys = (entries: { caseKey: string }[]) => entries.map(({ caseKey }) => caseKey);
const units = (entries: { caseKey: string }[]) => keys(entries).filter((key) => key.includes('*'));
const accept = (cases: string, reason = 'known'): Acceptance => ({ cases, metric: null, reason });

describe('what was not measured', () => {
  it('fails, and is named with how much there is of it', () => {
    const { passed, notMeasured, inconclusive } = gateOf({ rounds: 5 });
    expect(passed).toBe(false);
    expect(keys(notMeasured)).toEqual(['go/ping/*']);
    expect(notMeasured[0]!.message).toMatch(/^CPU per request, service and database: /);
    expect(inconclusive).toEqual([]);
  });

  it('fails where a change of ten times the limit would not have been seen and is not excluded', () => {
    const made = { rounds: 12, scatter: 0.6, cases: [{}] };
    expect(gateOf(made)).toMatchObject({ passed: false, notMeasured: [{ caseKey: keyOf({}) }] });
    expect(gateOf({ ...made, scatter: 0.1 })).toMatchObject({
      passed: true,
      notMeasured: [],
      inconclusive: [{ caseKey: keyOf({}) }],
    });
  });

  it('is not accepted away', () => {
    expect(gateOf({ rounds: 5 }, [accept('*')])).toMatchObject({ passed: false, notMeasured: [{}] });
  });
});

describe('a case that only the baseline has', () => {
  const removed = [...wrk('ping'), { service: 'rust', only: 'baseline' as const }];
  const key = keyOf({ service: 'rust' });

  it('fails until somebody accepts by its name that it is gone', () => {
    expect(gateOf({ cases: removed })).toMatchObject({ passed: false, invalid: [{ caseKey: key }], accepted: [] });
    for (const name of [key, 'rust', 'rust/*']) {
      expect(gateOf({ cases: removed }, [accept(name, 'moved elsewhere')])).toMatchObject({
        passed: true,
        invalid: [],
        accepted: [{ caseKey: key, metric: null, reason: 'moved elsewhere' }],
      });
    }
  });

  it.each([
    ['everything', accept('*')],
    ['everything, otherwise', accept('*/*')],
    ['another case', accept('go/*')],
    ['a metric of it', { ...accept('rust'), metric: 'throughput' }],
  ])('is not accepted by what accepts %s', (_, acceptance) => {
    expect(gateOf({ cases: removed }, [acceptance])).toMatchObject({ passed: false, invalid: [{ caseKey: key }] });
  });
});

describe('a case whose baseline is invalid', () => {
  it('can be accepted by name, so that what was broken can be mended, and no candidate that is invalid can', () => {
    const broken = (side: 'baseline' | 'candidate') => [
      ...wrk('ping'),
      { endpoint: 'users', invalid: { [side]: 'answers otherwise' } },
    ];
    const accepted = [accept('*/users/*', 'it was broken')];
    expect(gateOf({ cases: broken('baseline') })).toMatchObject({ passed: false, invalid: [{}] });
    expect(gateOf({ cases: broken('baseline') }, accepted)).toMatchObject({ passed: true, invalid: [] });
    expect(gateOf({ cases: broken('candidate') }, accepted)).toMatchObject({ passed: false, invalid: [{}] });
  });
});

describe('a case that fails alike on both sides', () => {
  const made = (code: string, baseline = code) => {
    const [first, ...others] = wrk('ping');
    const record = recordOf({ cases: [{ ...first, invalid: { baseline: 'it', candidate: 'it' } }, ...others] });
    for (const each of record.cases) {
      if (each.status === 'invalid')
        each.reasons = [{ code: each.variant === 'baseline' ? baseline : code, message: 'x' }];
    }
    return comparisonOf(record).gate;
  };

  it.each(['rate-not-held', 'generator-bound', 'ports-exhausted', 'late-answers'])(
    'for %s is left out and listed, and passes',
    (code) => {
      expect(made(code)).toMatchObject({
        passed: true,
        invalid: [],
        leftOut: [{ caseKey: keyOf({}), metric: null, message: 'candidate: x; baseline: x' }],
      });
    },
  );

  it.each([
    ['for what a server answers', 'errors', 'errors'],
    ['for another reason on each side', 'rate-not-held', 'generator-bound'],
  ])('%s fails', (_, code, baseline) => {
    expect(made(code, baseline)).toMatchObject({ passed: false, invalid: [{ caseKey: keyOf({}) }], leftOut: [] });
  });

  it('fails where it does so on one side alone, or for more than one reason', () => {
    const record = recordOf({ cases: [...wrk('ping'), { connections: 1, invalid: { candidate: 'x' } }] });
    for (const each of record.cases)
      if (each.status === 'invalid') each.reasons = [{ code: 'rate-not-held', message: 'x' }];
    expect(comparisonOf(record).gate).toMatchObject({ passed: false, leftOut: [] });
    const both = recordOf({ cases: [...wrk('ping'), { connections: 1, invalid: { candidate: 'x', baseline: 'x' } }] });
    const reasons = ['rate-not-held', 'generator-bound'].map((code) => ({ code, message: 'x' }));
    for (const each of both.cases) if (each.status === 'invalid') each.reasons = reasons;
    expect(comparisonOf(both).gate).toMatchObject({ passed: false, leftOut: [] });
  });

  it.each(['baseline', 'candidate'] as const)(
    'is left out where the generator is the limit of a duet, although it is seen beyond the border of the %s alone',
    (side) => {
      const gateWith = (code: string, mode: 'duet' | 'interleaved') => {
        const record = recordOf({ mode, cases: [...wrk('ping'), { connections: 1, invalid: { [side]: 'x' } }] });
        for (const each of record.cases) if (each.status === 'invalid') each.reasons = [{ code, message: 'x' }];
        return comparisonOf(record).gate;
      };
      const [left] = gateWith('generator-bound', 'duet').leftOut;
      expect(left).toEqual({ caseKey: keyOf({ connections: 1 }), metric: null, message: `${side}: x` });
      expect(gateWith('generator-bound', 'interleaved').leftOut).toEqual([]);
      expect(gateWith('rate-not-held', 'duet').leftOut).toEqual([]);
    },
  );

  it.each([
    ['is left out where the other is about as slow', 1.4, true],
    ['fails where the other is much faster', 1.6, false],
  ])('for answers that come too late to one side, %s', (_, times, isLeftOut) => {
    const late = { connections: 1000, invalid: { candidate: 'x' }, ratios: { throughput: 1 / times } };
    const record = recordOf({ scatter: 0, cases: [...wrk('ping'), late] });
    for (const each of record.cases) {
      if (each.status === 'invalid') each.reasons = [{ code: 'late-answers', message: 'x' }];
    }
    const listed = [{ caseKey: keyOf({ connections: 1000 }), metric: null, message: 'candidate: x' }];
    expect(comparisonOf(record).gate).toMatchObject(
      isLeftOut ? { passed: true, invalid: [], leftOut: listed } : { passed: false, invalid: listed, leftOut: [] },
    );
  });

  it('fails where nothing else of its endpoint can be judged', () => {
    const record = recordOf({
      cases: [...wrk('ping'), { endpoint: 'db-users', invalid: { candidate: 'x', baseline: 'x' } }],
    });
    for (const each of record.cases)
      if (each.status === 'invalid') each.reasons = [{ code: 'rate-not-held', message: 'x' }];
    expect(comparisonOf(record).gate).toMatchObject({
      passed: false,
      invalid: [{ caseKey: keyOf({ endpoint: 'db-users' }) }],
      leftOut: [],
    });
  });
});

describe('a case at a fixed rate that is left out', () => {
  const statements = [{ query: 'SELECT 1', callsPerRequest: 1, rowsPerRequest: 1, msPerRequest: 0.1 }];
  const database: MadeUpCase = { statements: { baseline: statements, candidate: statements } };

  it('leaves CPU of an endpoint with a database to those of wrk', () => {
    const invalid = { baseline: 'x', candidate: 'x' };
    const cases = [...wrk('ping', 1.3), { generator: 'k6' as const, invalid }].map((each) => ({
      ...database,
      ...each,
    }));
    const record = recordOf({ cases });
    for (const each of record.cases) {
      if (each.status === 'invalid') each.reasons = [{ code: 'rate-not-held', message: 'x' }];
    }
    const { gate: found, endpoints } = comparisonOf(record);
    expect(found.leftOut).toHaveLength(1);
    expect(found.regressions).toContainEqual(
      expect.objectContaining({ caseKey: 'go/ping/*', metric: 'cpu-per-request' }),
    );
    expect(endpoints[0]!.metrics['cpu-per-request']!.evidence.note).toContain('measured under saturation');
  });
});

describe('a regression of one endpoint', () => {
  const one = { cases: [...wrk('ping'), ...wrk('db-users', 1.3)] };
  const both = { cases: [...wrk('ping', 1.3), ...wrk('db-users', 1.3)] };

  it('is red there, in the service and in cases', () => {
    expect(units(gateOf(one).regressions)).toEqual(['go/*', 'go/db-users/*']);
  });

  it.each(['/db/users', 'go/db-users/*'])('that is accepted as %s is accepted in the service as well', (cases) => {
    const found = gateOf(one, [accept(cases, 'one more query, for roles')]);
    expect(found.regressions).toEqual([]);
    expect(found.passed).toBe(true);
    expect(found.accepted).toContainEqual(
      expect.objectContaining({ caseKey: 'go/*', metric: 'cpu-per-request', reason: 'one more query, for roles' }),
    );
  });

  it('that is accepted leaves the service red where another endpoint is red too', () => {
    const found = gateOf(both, [accept('/db/users')]);
    expect(units(found.accepted)).toEqual(['go/db-users/*']);
    expect(units(found.regressions)).toEqual(['go/*', 'go/ping/*']);
    expect(found.passed).toBe(false);
  });

  it('is accepted with the others where each is, or the service is', () => {
    expect(gateOf(both, [accept('/db/users'), accept('/ping')]).passed).toBe(true);
    expect(gateOf(both, [accept('go')]).passed).toBe(true);
  });

  it('is not accepted by an acceptance of another metric', () => {
    const found = gateOf(one, [{ cases: '/db/users', metric: 'throughput', reason: 'known' }]);
    expect(found.accepted).toEqual([]);
    expect(found.passed).toBe(false);
  });
});

describe('a regression of cases', () => {
  it('that is accepted in all that are red is accepted in the endpoint, and with it in the service', () => {
    const found = gateOf({ cases: [...wrk('ping'), ...wrk('db-users', 1.3)] }, [accept('go/*/wrk/*')]);
    expect(found).toMatchObject({ passed: true, regressions: [] });
    expect(units(found.accepted)).toEqual(['go/*', 'go/db-users/*']);
  });

  it('that is accepted in one of them leaves the endpoint red, and the service', () => {
    const found = gateOf({ cases: [...wrk('ping'), ...wrk('db-users', 1.3)] }, [accept('go/db-users/*/800')]);
    expect(keys(found.accepted)).toEqual([keyOf({ endpoint: 'db-users', connections: 800 })]);
    expect(units(found.regressions)).toEqual(['go/*', 'go/db-users/*']);
  });

  it('of all of them together, which none shows by itself, is not accepted by the name of a case', () => {
    const subtle = { rounds: 12, scatter: 0.08, cases: wrk('ping', 1.08) };
    const red = gateOf(subtle).regressions.map(({ caseKey }) => caseKey);
    expect(red).toEqual(['go/ping/*']);
    const quiet = CONNECTIONS.map((connections) => keyOf({ connections })).find((key) => !red.includes(key))!;
    expect(units(gateOf(subtle, [accept(quiet)]).regressions)).toEqual(['go/ping/*']);
  });
});

describe('a service of which an endpoint is red', () => {
  const cases = [{ ratios: { 'cpu-per-request': 1.063 } }, { endpoint: 'health' }];
  const record = recordOf({ rounds: 8, cases });

  it('holds up nothing by what it leaves open: nobody waited for it', () => {
    const { services, gate: found } = comparisonOf(record);
    expect(services[0]!.metrics['cpu-per-request']).toMatchObject({ verdict: null, threshold: { value: 0.03 } });
    expect(found).toMatchObject({ inconclusive: [], notMeasured: [] });
  });

  it('passes where that endpoint is accepted, though open metrics are asked to fail', () => {
    const options = { accepted: [accept('/ping')], failOnInconclusive: true };
    expect(comparisonOf(record, options).gate).toMatchObject({ passed: true, accepted: [{ caseKey: keyOf({}) }] });
  });
});
