import { describe, expect, it } from 'vitest';
import type { CaseComparison, Comparison, MetricComparison } from '../../../src/core/comparison/comparison.ts';
import { comparisonOf, NotCompared } from '../../../src/core/comparison/comparison-of.ts';
import { keyOf, type MadeUpCase } from '../../support/made-up/case-record.ts';
import { type MadeUpRecord, madeUpRecord } from '../../support/made-up/run-record.ts';

const wrkCase = 'go/ping/direct/wrk/keep-alive/100';

const compared = (made: Partial<MadeUpRecord>): Comparison =>
  comparisonOf(madeUpRecord({ seed: 5, rounds: 10, cases: [{}], ...made }));

const caseOf = ({ cases }: Comparison, key = wrkCase): CaseComparison => cases.find((each) => each.key === key)!;
const metricOf = (comparison: Comparison, name: string, key = wrkCase): MetricComparison =>
  caseOf(comparison, key).metrics[name]!;

/** Metric → verdict, of those that are gated. */
function verdicts(comparison: Comparison, key = wrkCase): Record<string, string> {
  const gated = Object.entries(caseOf(comparison, key).metrics).flatMap(([name, { verdict }]) =>
    verdict === null ? [] : [[name, verdict] as const],
  );
  return Object.fromEntries(gated);
}

describe('two equal sides', () => {
  const comparison = compared({});

  it('show no change in any metric that is gated, and pass', () => {
    expect(verdicts(comparison)).toEqual({
      throughput: 'no-change',
      'cpu-per-request': 'no-change',
      'memory-peak': 'no-change',
    });
    expect(comparison.gate).toEqual({
      passed: true,
      regressions: [],
      inconclusive: [],
      notMeasured: [],
      invalid: [],
      leftOut: [],
      beyond: [],
      accepted: [],
      new: [],
    });
  });

  it('are named with their commits and images', () => {
    expect(comparison.baseline).toEqual({
      id: '20260301T101500Z-7f3a',
      sha: '3f2c1ab90e6d4b7785c1d2e3f4a5b6c7d8e9f001',
      images: { go: `sha256:1${'0'.repeat(63)}` },
      origin: 'commit 3f2c1ab (merge-base with main), built in this run',
    });
    expect(comparison.candidate.images).toEqual({ go: `sha256:2${'0'.repeat(63)}` });
    expect([comparison.mode, comparison.familyErrorRate, comparison.warnings]).toEqual(['duet', 0.005, []]);
  });

  it('show latency under saturation without judging it', () => {
    const p50 = metricOf(comparison, 'latency-p50');
    expect(p50).toMatchObject({ verdict: null, threshold: null, adjusted: null, minimumDetectable: null });
    expect(p50.interval).not.toBeNull();
  });

  it('come out the same again', () => {
    expect(compared({})).toEqual(comparison);
  });
});

describe('a change for the worse', () => {
  const ratios = { 'cpu-per-request': 1.08, throughput: 0.9 };
  const comparison = compared({ cases: [{ ratios }, { generator: 'k6' }] });

  it('is a regression where its interval lies above the limit', () => {
    const cpu = metricOf(comparison, 'cpu-per-request');
    expect(cpu).toMatchObject({
      unit: 'us',
      better: 'lower',
      confidence: 0.99,
      direction: 'worse',
      verdict: 'regression',
      threshold: { kind: 'ratio', value: 0.03 },
      brokenLimit: null,
    });
    expect(cpu.change).toBeCloseTo(0.08, 1);
    expect(cpu.adjusted![0]).toBeGreaterThan(0.03);
    expect(cpu.difference).toBe(cpu.candidate! - cpu.baseline!);
  });

  it('is a fall where higher is better', () => {
    const throughput = metricOf(comparison, 'throughput');
    expect(throughput).toMatchObject({
      direction: 'worse',
      verdict: 'regression',
      threshold: { kind: 'ratio', value: 0.05 },
    });
    expect(throughput.change).toBeCloseTo(-0.1, 1);
    const [low, high] = throughput.adjusted!;
    expect(low).toBeLessThan(high);
    expect(high).toBeLessThan(-0.05);
  });

  it('fails the gate, with a sentence of figure, interval and limit', () => {
    expect(comparison.gate.passed).toBe(false);
    expect(comparison.gate.regressions.map(({ caseKey, metric }) => [caseKey, metric])).toEqual([
      [wrkCase, 'throughput'],
      [wrkCase, 'cpu-per-request'],
    ]);
    expect(comparison.gate.regressions[1]!.message).toMatch(
      /^CPU per request, service and database: \+[78]\.\d% \(\+\d\.\d% … \+\d+(\.\d)?%\), [\d.]+ µs → [\d.]+ µs; limit \+3\.0%$/,
    );
  });

  it('is explained where it is red, and only there', () => {
    expect(caseOf(comparison).explanation).not.toBeNull();
    expect(caseOf(comparison, keyOf({ generator: 'k6' })).explanation).toBeNull();
  });

  it('within its limit is no regression', () => {
    const small = compared({ rounds: 14, cases: [{ ratios: { 'cpu-per-request': 1.015 } }] });
    expect(verdicts(small)['cpu-per-request']).toBe('no-change');
    expect(metricOf(small, 'cpu-per-request').direction).toBe('worse');
  });
});

describe('a change for the better', () => {
  it('is an improvement, and passes', () => {
    const comparison = compared({ cases: [{ ratios: { 'cpu-per-request': 0.88, throughput: 1.14 } }] });
    expect(verdicts(comparison)).toMatchObject({ throughput: 'improvement', 'cpu-per-request': 'improvement' });
    expect(metricOf(comparison, 'throughput')).toMatchObject({ direction: 'better' });
    expect(comparison.gate.passed).toBe(true);
  });
});

describe('too little to decide', () => {
  const made = { scatter: 0.05, cases: [{ ratios: { 'cpu-per-request': 1.04, throughput: 0.93 } }] };

  it('is inconclusive, named, and passes', () => {
    const { gate } = compared(made);
    expect(gate.passed).toBe(true);
    expect(gate.inconclusive.map(({ metric }) => metric)).toEqual(['throughput', 'cpu-per-request']);
    expect(gate.inconclusive[0]!.message).toMatch(/; limit -5\.0%; not decided after 10 rounds$/);
  });

  it('fails where that is asked for', () => {
    const record = madeUpRecord({ seed: 5, rounds: 10, ...made });
    expect(comparisonOf(record, { failOnInconclusive: true }).gate.passed).toBe(false);
  });

  it('before the first look is not measured, and fails', () => {
    const { gate } = compared({ rounds: 5 });
    expect(gate).toMatchObject({ passed: false, inconclusive: [], regressions: [] });
    expect(gate.notMeasured.map(({ metric }) => metric)).toEqual(['throughput', 'cpu-per-request', 'memory-peak']);
  });

  it('of six rounds is no change where nothing changed, and passes', () => {
    const small = compared({ rounds: 6 });
    expect(small.gate).toMatchObject({ passed: true, inconclusive: [], notMeasured: [] });
    expect(metricOf(small, 'cpu-per-request')).toMatchObject({ verdict: 'no-change', evidence: { rounds: 6 } });
    // What changed takes two rounds more.
    const changed = compared({ rounds: 7, cases: [{ ratios: { 'cpu-per-request': 1.5 } }] });
    expect(changed.gate.passed).toBe(false);
    expect(metricOf(changed, 'cpu-per-request').verdict).toBe('not-measured');
  });

  it('of a single round has no interval', () => {
    const cpu = metricOf(compared({ rounds: 1 }), 'cpu-per-request');
    expect(cpu).toMatchObject({ verdict: 'not-measured', interval: null, adjusted: null, direction: 'unclear' });
    expect(cpu.change).not.toBeNull();
    expect(cpu.evidence).toEqual({ mode: 'duet', rounds: 1, pairs: 2, note: null });
  });
});

describe('a case that cannot be judged', () => {
  it('is invalid for what befell either side, and fails', () => {
    const comparison = compared({ cases: [{ invalid: { candidate: '3 % failed', baseline: 'not ready' } }] });
    expect(caseOf(comparison).reasons).toEqual([
      { code: 'errors', message: 'candidate: 3 % failed' },
      { code: 'errors', message: 'baseline: not ready' },
    ]);
    expect(verdicts(comparison)).toEqual({
      throughput: 'invalid',
      'cpu-per-request': 'invalid',
      'memory-peak': 'invalid',
    });
    expect(comparison.gate).toMatchObject({
      passed: false,
      invalid: [{ caseKey: wrkCase, metric: null, message: 'candidate: 3 % failed; baseline: not ready' }],
    });
  });

  it('is invalid where a record says so without a reason', () => {
    const record = madeUpRecord({ cases: [{ invalid: { baseline: 'x' } }] });
    for (const each of record.cases) each.reasons = [];
    expect(comparisonOf(record).gate.invalid).toEqual([
      { caseKey: wrkCase, metric: null, message: 'baseline: invalid, without a reason' },
    ]);
  });

  it('is invalid where the candidate lacks it', () => {
    const comparison = compared({ cases: [{}, { service: 'rust', only: 'baseline' }] });
    const key = keyOf({ service: 'rust' });
    expect(caseOf(comparison, key).presence).toBe('missing');
    expect(comparison.gate).toMatchObject({
      passed: false,
      invalid: [
        {
          caseKey: key,
          metric: null,
          message:
            "The baseline's spec has it, the candidate's no longer does. Put it back, or accept its removal by name.",
        },
      ],
    });
  });

  it('is new where the baseline lacks it, and passes', () => {
    const comparison = compared({ cases: [{}, { endpoint: 'health', only: 'candidate' }] });
    const key = keyOf({ endpoint: 'health' });
    expect(caseOf(comparison, key).presence).toBe('new');
    expect(new Set(Object.values(verdicts(comparison, key)))).toEqual(new Set(['new']));
    expect(comparison.gate).toMatchObject({ passed: true, new: [{ caseKey: key, metric: null }] });
  });

  it('that is new and invalid fails all the same', () => {
    const comparison = compared({
      cases: [{}, { endpoint: 'health', only: 'candidate', invalid: { candidate: 'x' } }],
    });
    expect(comparison.gate).toMatchObject({ passed: false, invalid: [{ message: 'candidate: x' }] });
  });

  it('is not called new where the candidate failed before its baseline was measured', () => {
    const { gate } = compared({ cases: [{}, { endpoint: 'health', only: 'candidate', invalid: { candidate: 'x' } }] });
    expect(gate.new).toEqual([]);
  });

  it('is invalid for what befell the baseline where that kept the candidate from being measured', () => {
    const { gate } = compared({
      cases: [{}, { endpoint: 'health', only: 'baseline', invalid: { baseline: 'answers 404' } }],
    });
    expect(gate.invalid.map(({ message }) => message)).toEqual(['baseline: answers 404']);
  });

  it('is invalid where the candidate made its service a reference', () => {
    const record = madeUpRecord({ cases: [{}, { service: 'nginx', invalid: { baseline: 'x' } }] });
    const message = "the baseline's spec has this case, the candidate's has not";
    for (const each of record.cases) if (each.status === 'invalid') each.reasons = [{ code: 'missing', message }];
    const { gate, cases } = comparisonOf(record);
    expect(cases.map(({ service, presence }) => [service, presence])).toEqual([
      ['go', 'both'],
      ['nginx', 'missing'],
    ]);
    expect(gate).toMatchObject({
      passed: false,
      invalid: [
        {
          caseKey: keyOf({ service: 'nginx' }),
          message:
            "The candidate's spec makes its service a reference, which nothing gates; in the baseline's it is none. Put it back, or accept its removal by name.",
        },
      ],
    });
  });
});

describe('a metric that one side lacks', () => {
  it('is invalid where the candidate lacks it', () => {
    const comparison = compared({ cases: [{ lacking: { candidate: ['memory-peak'] } }] });
    expect(verdicts(comparison)).toEqual({
      throughput: 'no-change',
      'cpu-per-request': 'no-change',
      'memory-peak': 'invalid',
    });
    expect(comparison.gate).toMatchObject({
      passed: false,
      invalid: [
        {
          caseKey: wrkCase,
          metric: 'memory-peak',
          message: 'Memory, peak: the baseline has it, the candidate has not',
        },
      ],
    });
  });

  it.each(['baseline', 'candidate'] as const)('is invalid where the database of the %s has not counted', (lacking) => {
    const counts = { 'queries-per-request': 5 };
    const both = { baseline: counts, candidate: counts };
    const record = madeUpRecord({ seed: 5, rounds: 10, cases: [{ counts: { ...both, [lacking]: {} } }] });
    const side = record.cases.find(({ variant }) => variant === lacking)!;
    side.warnings.push({ code: 'statements-uncounted', message: 'Of 2 known statements Postgres has counted 0.' });
    const { gate } = comparisonOf(record);
    const message = `Queries per request: not measured of the ${lacking}. Of 2 known statements Postgres has counted 0.`;
    expect(gate).toMatchObject({ passed: false, invalid: [{ metric: 'queries-per-request', message }] });
  });

  it('is new where the baseline lacks it', () => {
    const comparison = compared({ cases: [{ lacking: { baseline: ['memory-peak'] } }] });
    expect(comparison.gate).toMatchObject({ passed: true, new: [{ caseKey: wrkCase, metric: 'memory-peak' }] });
  });

  it('is no matter where it is only shown', () => {
    expect(compared({ cases: [{ lacking: { candidate: ['latency-p99'] } }] }).gate.passed).toBe(true);
  });

  it('in duets alone is invalid as well', () => {
    const record = madeUpRecord({ rounds: 10, cases: [{}] });
    const candidate = record.cases.find(({ variant }) => variant === 'candidate')!;
    const { samples } = candidate.metrics['cpu-per-request']!;
    candidate.metrics['cpu-per-request']!.samples = samples.filter(({ mode }) => mode === 'solo');
    expect(comparisonOf(record).gate.invalid).toEqual([
      {
        caseKey: wrkCase,
        metric: 'cpu-per-request',
        message: 'CPU per request, service and database: only the baseline was measured in duets',
      },
    ]);
  });

  it('is not measured where neither was paired', () => {
    const record = madeUpRecord({ rounds: 10, cases: [{}] });
    for (const { metrics } of record.cases) for (const sample of metrics.throughput!.samples) sample.pair = null;
    expect(verdicts(comparisonOf(record)).throughput).toBe('not-measured');
  });
});

describe('exact counts', () => {
  const counts = (was: number, is: number): NonNullable<MadeUpCase['counts']> => ({
    baseline: { 'queries-per-request': was },
    candidate: { 'queries-per-request': is },
  });

  it('are compared as they are, without an interval', () => {
    const comparison = compared({ rounds: 3, cases: [{ counts: counts(1, 2) }] });
    expect(metricOf(comparison, 'queries-per-request')).toEqual({
      unit: '1/request',
      better: 'lower',
      baseline: 1,
      candidate: 2,
      difference: 1,
      change: 1,
      interval: null,
      adjusted: null,
      confidence: 0.99,
      minimumDetectable: null,
      direction: 'worse',
      verdict: 'regression',
      threshold: { kind: 'absolute', value: 0 },
      brokenLimit: null,
      evidence: { mode: 'exact', rounds: 3, pairs: 0, note: null },
    });
    expect(comparison.gate.regressions).toEqual([
      { caseKey: wrkCase, metric: 'queries-per-request', message: 'Queries per request: +1, 1 → 2; limit +0' },
    ]);
  });

  it('that fell although they may not name that limit, and not the one of a rise', () => {
    const limit = {
      maxIncrease: { kind: 'ratio' as const, value: 0.2 },
      maxDecrease: { kind: 'ratio' as const, value: 0.1 },
    };
    const messageOf = (own: Partial<typeof limit>, is: number) => {
      const gate = { metrics: { 'queries-per-request': own } };
      const { gate: result } = compared({ gate, cases: [{ counts: counts(10, is) }] });
      return [...result.regressions, ...result.inconclusive].map(({ message }) => message);
    };
    expect(messageOf(limit, 5)).toEqual(['Queries per request: -5, 10 → 5; limit -10%']);
    expect(messageOf({ maxDecrease: limit.maxDecrease }, 5)).toEqual(['Queries per request: -5, 10 → 5; limit -10%']);
    expect(messageOf(limit, 15)).toEqual(['Queries per request: +5, 10 → 15; limit +20%']);
  });

  it('have a difference and no ratio where the baseline has none', () => {
    const queries = metricOf(compared({ cases: [{ counts: counts(0, 1) }] }), 'queries-per-request');
    expect(queries).toMatchObject({ change: null, difference: 1, verdict: 'regression' });
  });
});

describe('what each metric rests on', () => {
  it('is trials alone for throughput of sides that do not compete, with the reason', () => {
    const record = madeUpRecord({ seed: 5, rounds: 10, cases: [{ busyShare: 0.7 }] });
    for (const { metrics } of record.cases) {
      const { samples } = metrics.throughput!;
      const inTurn = samples.filter(({ round }) => round === 1 || round === 2);
      samples.push(...inTurn.map((sample) => ({ ...sample, pair: sample.pair! + 2, mode: 'solo' as const })));
    }
    const { evidence } = metricOf(comparisonOf(record), 'throughput');
    expect(evidence).toEqual({
      mode: 'interleaved',
      rounds: 2,
      pairs: 4,
      note: 'from trials in turn: in duets only 70.0 % of the CPU was used, so a side waited',
    });
  });

  it('leaves out rounds in which a value is 0, and says so', () => {
    const record = madeUpRecord({ rounds: 10, cases: [{}] });
    const sample = record.cases[1]!.metrics['cpu-per-request']!.samples.find(
      ({ round, mode }) => round === 2 && mode === 'duet',
    )!;
    sample.value = 0;
    const { evidence } = metricOf(comparisonOf(record), 'cpu-per-request');
    expect(evidence.note).toBe('1 of 10 rounds are left out: a value of 0 has no ratio');
  });

  it('is 1,000 requests in a round for a p99, and inconclusive without', () => {
    const gate = { metrics: { 'latency-p99': { maxIncrease: { kind: 'ratio' as const, value: 0.2 } } } };
    const made = (throughput: number) =>
      compared({ rounds: 10, gate, cases: [{ generator: 'k6', levels: { throughput } }] });
    const key = keyOf({ generator: 'k6' });
    expect(metricOf(made(9_000), 'latency-p99', key)).toMatchObject({ verdict: 'no-change', evidence: { note: null } });
    const fresh = compared({ gate, cases: [{ generator: 'k6', only: 'candidate' }] });
    expect(metricOf(fresh, 'latency-p99', key)).toMatchObject({ verdict: 'new' });
    expect(metricOf(made(90), 'latency-p99', key)).toMatchObject({
      verdict: 'inconclusive',
      evidence: { note: '0 of 10 rounds answered 1,000 requests, which this metric needs' },
    });
  });
});

describe('an accepted regression', () => {
  const cases = [{ ratios: { 'cpu-per-request': 1.08, throughput: 0.9 } }];

  it('is no failure, and keeps its reason', () => {
    const accepted = [{ cases: '/ping', metric: 'cpu-per-request', reason: 'TLS everywhere' }];
    const { gate } = compared({ cases, comparing: { accepted } });
    expect(gate.accepted).toMatchObject([{ caseKey: wrkCase, metric: 'cpu-per-request', reason: 'TLS everywhere' }]);
    expect(gate.regressions.map(({ metric }) => metric)).toEqual(['throughput']);
    expect(gate.passed).toBe(false);
  });

  it('may be accepted afterwards, of every metric', () => {
    const record = madeUpRecord({ seed: 5, rounds: 10, cases });
    const { gate } = comparisonOf(record, { accepted: [{ cases: 'go', metric: null, reason: 'known' }] });
    expect([gate.passed, gate.accepted.length, gate.regressions]).toEqual([true, 2, []]);
  });

  it('accepts nothing invalid', () => {
    const accepted = [{ cases: '*', metric: null, reason: 'known' }];
    expect(compared({ cases: [{ invalid: { candidate: 'x' } }], comparing: { accepted } }).gate.passed).toBe(false);
  });
});

describe('an absolute limit', () => {
  const gate = { metrics: { 'latency-p50': { max: 0.4 }, throughput: { min: 1000 } } };

  it('that the candidate breaks is a regression of the cases that gate the metric', () => {
    const { gate: result, cases } = compared({
      gate,
      cases: [{}, { generator: 'k6', levels: { 'latency-p50': 0.5 } }],
    });
    expect(result.regressions).toHaveLength(1);
    expect(result.regressions[0]).toMatchObject({ caseKey: keyOf({ generator: 'k6' }), metric: 'latency-p50' });
    expect(result.regressions[0]!.message).toMatch(/^Latency, p50: \d+ µs; limit at most 400 µs$/);
    expect(cases[1]!.metrics['latency-p50']).toMatchObject({ verdict: null, brokenLimit: { kind: 'max', value: 0.4 } });
  });

  it('holds for a new case', () => {
    const { gate: result } = compared({
      gate,
      cases: [{ generator: 'k6', only: 'candidate', levels: { 'latency-p50': 0.5 } }],
    });
    expect(result.passed).toBe(false);
  });
});

describe('what few rounds leave open', () => {
  // So unlike each other that eight of them neither show nor exclude a change of ten times the limits.
  const noisy = { seed: 9, rounds: 8, scatter: 0.7, drift: 0 };

  it('was not measured', () => {
    const comparison = compared(noisy);
    expect(verdicts(comparison)).toEqual({
      throughput: 'not-measured',
      'cpu-per-request': 'not-measured',
      'memory-peak': 'not-measured',
    });
    expect(comparison.gate.notMeasured).toHaveLength(3);
  });

  it('is only undecided where something red says the same, since no round is measured for it', () => {
    const cases = [{ ratios: { 'cpu-per-request': 200 } }];
    const comparison = compared({ ...noisy, cases });
    expect(verdicts(comparison)).toEqual({
      throughput: 'inconclusive',
      'cpu-per-request': 'regression',
      'memory-peak': 'not-measured',
    });
    const metricsOf = (kind: 'inconclusive' | 'notMeasured') => comparison.gate[kind].map(({ metric }) => metric);
    expect([metricsOf('inconclusive'), metricsOf('notMeasured')]).toEqual([['throughput'], ['memory-peak']]);
  });

  it('stays undecided where that is accepted afterwards, and was not measured where it was accepted before', () => {
    const cases = [{ ratios: { 'cpu-per-request': 200 } }];
    const accepted = [{ cases: '*', metric: 'cpu-per-request', reason: 'known' }];
    const record = (comparing = {}) => madeUpRecord({ ...noisy, cases, comparing });
    expect(verdicts(comparisonOf(record(), { accepted })).throughput).toBe('inconclusive');
    expect(verdicts(comparisonOf(record({ accepted }))).throughput).toBe('not-measured');
  });
});

describe('a limit that nothing is held to', () => {
  it('is told, but for the defaults', () => {
    const gate = {
      metrics: { 'latency-p90': { max: 5 }, 'latency-p50': { maxIncrease: { kind: 'ratio' as const, value: 0.05 } } },
    };
    expect(compared({ gate }).warnings).toEqual([
      {
        code: 'limit-unused',
        message:
          'latency-p90 is limited, and no case of this run can be held to it: latency is judged with k6 at a fixed rate (load.k6).',
      },
    ]);
  });

  it('is told where it limits a change for the better', () => {
    const gate = { metrics: { throughput: { maxIncrease: { kind: 'ratio' as const, value: 0.05 } } } };
    expect(compared({ gate }).warnings.map(({ message }) => message)).toEqual([
      'throughput.max-increase is not judged: that would be a change for the better.',
    ]);
  });
});

describe('a run as a whole', () => {
  it('that ended early fails', () => {
    const record = {
      ...madeUpRecord({ cases: [{}] }),
      interrupted: { code: 'disk-full', message: 'The disk is full.' },
    };
    expect(comparisonOf(record).gate.invalid[0]).toEqual({
      caseKey: '*',
      metric: null,
      message: 'The run ended early, and what it did not measure is unknown. The disk is full.',
    });
  });

  it('without a case fails, unless it was skipped', () => {
    const skipped = { code: 'same', message: 'Both sides are the same.' };
    expect(compared({ cases: [] }).gate).toMatchObject({
      passed: false,
      invalid: [{ caseKey: '*', message: 'No case was measured.' }],
    });
    expect(compared({ cases: [], comparing: { skipped } })).toMatchObject({
      skipped,
      gate: { passed: true, invalid: [] },
    });
  });

  it('keeps reference services out', () => {
    expect(
      compared({ cases: [{}, { service: 'nginx', only: 'candidate', invalid: { candidate: 'x' } }] }).gate.passed,
    ).toBe(true);
  });

  it('without a baseline is told so', () => {
    const record = madeUpRecord({ comparing: null, cases: [{ only: 'candidate' }] });
    expect(() => comparisonOf(record)).toThrow(NotCompared);
  });
});
