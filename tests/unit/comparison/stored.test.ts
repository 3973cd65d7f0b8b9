import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../src/core/comparison/comparison.ts';
import { storedComparison } from '../../../src/core/comparison/stored.ts';
import { NotComparable } from '../../../src/core/comparison/stored-conditions.ts';
import { noHistory } from '../../../src/core/comparison/stored-history.ts';
import { runToRunVariance } from '../../../src/core/comparison/stored-scatter.ts';
import { quickened } from '../../../src/core/config/selection.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';
import { historyOf, type StoredRun, storedRun, storedRuns } from '../../support/made-up/stored-runs.ts';

const key = 'go/ping/direct/wrk/keep-alive/100';
const gated = ['throughput', 'cpu-per-request', 'memory-peak'];

const past = storedRuns(40, { seed: 3 });
const base = past.at(-1)!;
const history = historyOf(past);
const head = (made: Partial<StoredRun> = {}) => storedRun({ day: 41, seed: 77, ...made });

const verdictsOf = ({ cases }: Comparison, metrics = gated) =>
  metrics.map((metric) => cases.find((each) => each.key === key)!.metrics[metric]!.verdict);
const notesOf = ({ cases }: Comparison, metrics = gated) =>
  metrics.map((metric) => cases.find((each) => each.key === key)!.metrics[metric]!.evidence.note);
const codesOf = ({ warnings }: Comparison) => warnings.map(({ code }) => code);

describe('two records with a history', () => {
  it('differ where they differ more than one run does from the next', () => {
    const ratios = { throughput: 0.7, 'cpu-per-request': 1.45 };
    const comparison = storedComparison(base, head({ ratios }), history);
    expect(verdictsOf(comparison)).toEqual(['regression', 'regression', 'no-change']);
    expect(comparison).toMatchObject({ mode: 'stored', gate: { passed: false }, skipped: null });
    expect(comparison.baseline).toMatchObject({ id: base.id, origin: `stored run ${base.id} of ${base.startedAt}` });
  });

  it('are told relative to the reference: a machine half as fast is no regression', () => {
    const comparison = storedComparison(base, head({ weather: 0.5 }), history);
    expect(comparison.gate.regressions).toEqual([]);
    const { change, difference, evidence } = comparison.cases[0]!.metrics.throughput!;
    expect(Math.abs(change!)).toBeLessThan(0.06);
    expect(difference!).toBeLessThan(-5_000);
    expect(evidence).toEqual({
      mode: 'stored',
      rounds: 40,
      pairs: 0,
      note: 'relative to nginx, which both runs measured as well',
    });
  });

  it('without the reference are held against how absolute figures scatter', () => {
    const without = (record: RunRecord): RunRecord => ({
      ...record,
      cases: record.cases.filter(({ service }) => service !== 'nginx'),
    });
    const comparison = storedComparison(without(base), without(head({ weather: 0.8 })), history);
    expect(verdictsOf(comparison, ['throughput'])).toEqual(['inconclusive']);
    expect(comparison.cases[0]!.metrics.throughput!.minimumDetectable).toBeGreaterThan(0.3);
  });

  it('give the same whatever the order in which the past is read', () => {
    const shuffled = historyOf([...past].reverse());
    expect(storedComparison(base, head(), shuffled)).toEqual(storedComparison(base, head(), history));
  });

  it('do not count the run that is judged among the past', () => {
    const judged = head({ ratios: { throughput: 0.7 } });
    expect(storedComparison(base, judged, historyOf([...past, judged]))).toEqual(
      storedComparison(base, judged, history),
    );
  });
});

describe('a history that went to another level', () => {
  const costlier = { 'cpu-per-request': 1.12 };
  const days = Array.from({ length: 40 }, (_, index) => index + 1);
  const stepped = days.map((day) => {
    const made = storedRun({ day, seed: 4000 + day, weather: 1 + 0.1 * (day % 3), ratios: day > 28 ? costlier : {} });
    return { ...made, source: { ...made.source, sha: String(day).padStart(40, '0') } };
  });
  const compared = (runs: readonly RunRecord[]) =>
    storedComparison(runs.at(-2)!, runs.at(-1)!, historyOf(runs)).changePoints;

  it('is told with the runs on either side of it, by what the reference did in them', () => {
    expect(compared(stepped)).toEqual([
      {
        key,
        metric: 'cpu-per-request',
        change: expect.closeTo(0.12, 1),
        direction: 'worse',
        before: { id: stepped[27]!.id, sha: '28'.padStart(40, '0'), startedAt: '2026-01-28T00:00:00.000Z' },
        after: { id: stepped[28]!.id, sha: '29'.padStart(40, '0'), startedAt: '2026-01-29T00:00:00.000Z' },
        runs: 12,
      },
    ]);
  });

  it('is told whether or not it was accepted, and of other conditions not at all', () => {
    const accepted = stepped.map((record, index) =>
      index === 28
        ? storedRun({
            day: 29,
            seed: 4029,
            ratios: costlier,
            accepted: [{ cases: 'go', metric: 'cpu-per-request', reason: 'TLS' }],
          })
        : record,
    );
    expect(compared(accepted)?.map(({ after }) => after.id)).toEqual([accepted[28]!.id]);
    const moved = stepped.map((record, index) =>
      index < 25 ? { ...record, environment: { ...record.environment, cpuModel: 'Intel Xeon' } } : record,
    );
    expect(compared(moved)).toBeUndefined();
  });

  it('says nothing where it never did, or without a history', () => {
    expect(compared(past)).toBeUndefined();
    expect(storedComparison(stepped.at(-2)!, stepped.at(-1)!).changePoints).toBeUndefined();
  });
});

describe('too little history', () => {
  it('is inconclusive and never red, whatever the change; exact counts are compared all the same', () => {
    const comparison = storedComparison(
      base,
      head({ ratios: { throughput: 0.1 }, queries: 2 }),
      historyOf(past.slice(-9)),
    );
    expect(verdictsOf(comparison)).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
    expect(notesOf(comparison, ['memory-peak'])).toEqual([
      '9 of the 10 past runs under these conditions that it takes, the baseline among them',
    ]);
    expect(comparison.gate.regressions.map(({ metric }) => metric)).toEqual(['queries-per-request']);
  });

  it('is not mended by copies of the same runs', () => {
    const copied = historyOf([...past.slice(-5), ...past.slice(-5)]);
    expect(copied.runs).toHaveLength(5);
    expect(notesOf(storedComparison(base, head(), copied), ['memory-peak'])[0]).toMatch(/^5 of the 10 past runs/);
  });

  it('ends with the tenth run', () => {
    const comparison = storedComparison(base, head({ ratios: { throughput: 0.1 } }), historyOf(past.slice(-10)));
    expect(verdictsOf(comparison, ['throughput'])).toEqual(['regression']);
  });

  it('fails where that is asked for', () => {
    expect(storedComparison(base, head()).gate.passed).toBe(true);
    expect(storedComparison(base, head(), noHistory, { failOnInconclusive: true }).gate.passed).toBe(false);
  });

  it.each<[string, Partial<RunRecord['environment']>]>([
    ['another CPU model', { cpuModel: 'Intel Xeon Platinum 8370C' }],
    ['another number of CPUs', { cpuCount: 2 }],
    ['another runtime', { runtime: 'process' }],
    [
      'another wrk',
      { versions: { wrk: '4.2.0', k6: '1.3.0', ab: '2.3', h2load: null, docker: '28.0.4', postgres: '18.1' } },
    ],
  ])('is what runs with %s are', (_, environment) => {
    const elsewhere = past
      .slice(0, -1)
      .map((record) => ({ ...record, environment: { ...record.environment, ...environment } }));
    const comparison = storedComparison(base, head(), historyOf([...elsewhere, base]));
    expect(verdictsOf(comparison, ['throughput'])).toEqual(['inconclusive']);
    expect(notesOf(comparison, ['memory-peak'])[0]).toMatch(/^1 of the 10 past runs/);
  });

  it('is what lies before an accepted change of that metric', () => {
    const accepted = [{ cases: 'go', metric: 'throughput', reason: 'TLS' }];
    const withAccepted = past.map((record, index) =>
      index === 35 ? storedRun({ day: 36, seed: 500, accepted }) : record,
    );
    const comparison = storedComparison(base, head(), historyOf(withAccepted));
    expect(notesOf(comparison, ['throughput', 'memory-peak'])).toEqual([
      'relative to nginx, which both runs measured as well; 5 of the 10 past runs under these conditions that it takes, the baseline among them',
      null,
    ]);
  });
});

describe('an acceptance of a run that was held against stored numbers', () => {
  const accepted = [{ cases: 'go', metric: 'throughput', reason: 'TLS' }];
  const side = { recordId: 'one', sha: null, text: 'numbers of run one' };
  const unpaired = { wanted: 'stored', baseline: side, candidate: side, warnings: [], failed: false, accepted };

  it('ends the history before it', () => {
    const withAccepted = past.map((record, index) => (index === 35 ? { ...record, unpaired } : record));
    const comparison = storedComparison(base, head(), historyOf(withAccepted));
    expect(notesOf(comparison, ['throughput'])[0]).toMatch(/; 5 of the 10 past runs/);
  });

  it('holds for that run itself', () => {
    const worse = { ...head({ ratios: { throughput: 0.3 } }), unpaired };
    const { gate } = storedComparison(base, worse, history);
    expect(gate.accepted.map(({ metric, reason }) => [metric, reason])).toEqual([['throughput', 'TLS']]);
  });
});

describe('records that are not comparable', () => {
  it('of another CPU model are compared by exact counts alone', () => {
    const other = head({ queries: 2, ratios: { throughput: 0.5 }, environment: { cpuModel: 'Intel Xeon' } });
    const comparison = storedComparison(base, other, history);
    expect(verdictsOf(comparison)).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
    expect(comparison.cases[0]!.metrics.throughput!.change).toBeNull();
    expect(comparison.gate.regressions.map(({ metric }) => metric)).toEqual(['queries-per-request']);
    expect(comparison.warnings[1]).toEqual({
      code: 'other-cpu-model',
      message:
        'The baseline was measured on AMD EPYC 7763 64-Core Processor, the candidate on Intel Xeon: only exact counts can be compared.',
    });
  });

  it.each<[string, (record: RunRecord) => void, (string | null)[]]>([
    [
      'another duration',
      (record) => Object.assign(record.spec.load.wrk!, { durationSeconds: 3 }),
      ['inconclusive', 'no-change'],
    ],
    [
      'another version of wrk',
      (record) => Object.assign(record.environment.versions, { wrk: '4.2.0' }),
      ['inconclusive', 'no-change'],
    ],
  ])('of %s have cases that are not the same', (_, change, verdicts) => {
    const other = head();
    change(other);
    expect(verdictsOf(storedComparison(base, other, history), ['throughput', 'queries-per-request'])).toEqual(verdicts);
  });

  const asking = (record: RunRecord, path: string): RunRecord => ({
    ...record,
    spec: { ...record.spec, endpoints: record.spec.endpoints.map((endpoint) => ({ ...endpoint, path })) },
  });
  const gone =
    "The baseline's request of this case is gone: what the candidate is asked under its name is another one (GET /quick instead of GET /ping), and the two are not compared.";

  it('of another request are not compared: what the first one gates is gone, until somebody accepts that by name', () => {
    const other = asking(head({ ratios: { throughput: 3 } }), '/quick');
    const { cases, gate } = storedComparison(base, other, history);
    expect(cases.map(({ presence }) => presence)).toEqual(['missing']);
    expect(gate).toMatchObject({ passed: false, regressions: [] });
    expect(gate.invalid).toEqual([
      { caseKey: key, metric: null, message: `${gone} Put it back, or accept its removal by name.` },
    ]);
    const accepted = [{ cases: 'go', metric: null, reason: 'moved' }];
    expect(storedComparison(base, other, history, { accepted }).gate).toMatchObject({
      passed: true,
      accepted: [{ caseKey: key, message: gone, reason: 'moved' }],
    });
  });

  it('of a file of requests with another content are not compared either', () => {
    const withSet = (record: RunRecord, digest: string): RunRecord => ({
      ...record,
      services: record.services.map((each) => ({
        ...each,
        requestSets: [{ endpoint: 'ping', requests: 3, digest: `sha256:${digest}` }],
      })),
    });
    const same = storedComparison(withSet(base, 'a'), withSet(head(), 'a'), history);
    expect(same.cases.map(({ presence }) => presence)).toEqual(['both']);
    const other = storedComparison(withSet(base, 'a'), withSet(head(), 'b'), history);
    expect(other.gate.passed).toBe(false);
    expect(other.gate.invalid.map(({ message }) => message)).toEqual([
      "The baseline's request of this case is gone: what the candidate is asked under its name is another one (of another content), and the two are not compared. Put it back, or accept its removal by name.",
    ]);
    const governing = { ...base.spec };
    const moved = storedComparison(withSet(base, 'a'), withSet(head(), 'b'), history, { governing });
    expect(moved.cases.map(({ presence }) => presence)).toEqual(['new']);
  });

  it('of another base path are not compared either', () => {
    const { spec } = head();
    const services = spec.services.map((service) => ({ ...service, basePath: '/quick' }));
    const { gate } = storedComparison(base, { ...head(), spec: { ...spec, services } }, history);
    expect(gate.invalid.map(({ message }) => message)).toEqual([
      `${gone} Put it back, or accept its removal by name.`.replace('GET /quick', 'GET /quick/ping'),
    ]);
  });

  it('of the request that the base of a pull request has by now are new to a run before that', () => {
    const now = asking(head(), '/quick');
    const { cases, gate } = storedComparison(base, now, history, { governing: now.spec });
    expect(cases.map(({ presence }) => presence)).toEqual(['new']);
    expect(gate).toMatchObject({ passed: true, invalid: [], new: [{ caseKey: key }] });
    const back = storedComparison(base, head(), history, { governing: now.spec });
    expect(back.gate).toMatchObject({ passed: false, invalid: [{ caseKey: key }] });
  });

  it('of a tail need enough requests on both sides', () => {
    const gate = { metrics: { 'latency-p99': { maxIncrease: { kind: 'ratio' as const, value: 0.2 } } } };
    const [few, many] = [500, 9_000].map((throughput) =>
      madeUpRecord({
        id: `run-${throughput}`,
        comparing: null,
        gate,
        cases: [{ generator: 'k6', only: 'candidate', levels: { throughput } }],
      }),
    ) as [RunRecord, RunRecord];
    const noteOf = (one: RunRecord, other: RunRecord) =>
      storedComparison(one, other).cases[0]!.metrics['latency-p99']!.evidence.note;
    expect(noteOf(many, few)).toMatch(/^[45],\d{3} requests are too few for a limit on it/);
    expect(noteOf(few, many)).toMatch(/^of the baseline, [45],\d{3} requests are too few for a limit on it/);
  });

  it('of another spec, and a record with itself, are refused', () => {
    const other = head();
    other.spec.name = 'graphql-api';
    expect(() => storedComparison(base, other)).toThrow(
      new NotComparable(
        'The baseline is of the spec "rest-api", the candidate of "graphql-api": two specs measure different things. Name two records of the same spec.',
      ),
    );
    expect(() => storedComparison(base, base)).toThrow(
      new NotComparable(`Both are the same run, ${base.id}: name the record of another one.`),
    );
  });
});

describe('what the reader is told', () => {
  it('is always that the two shared no moment', () => {
    expect(codesOf(storedComparison(base, head(), history))).toEqual(['stored-numbers']);
  });

  it('is what else is odd about the two', () => {
    const other = head({ accepted: [], environment: { kernel: '6.14.0' } });
    other.tool.version = '0.2.0';
    other.startedAt = '2025-01-01T00:00:00.000Z';
    expect(codesOf(storedComparison(base, other, history))).toEqual([
      'stored-numbers',
      'newer-baseline',
      'other-kernel',
      'other-wrkbench',
      'measured-beside-another',
    ]);
  });
});

describe('a run that lacks what the baseline had, or is invalid', () => {
  it('fails', () => {
    const lacking = head();
    lacking.cases = lacking.cases.filter(({ service }) => service !== 'go');
    expect(storedComparison(base, lacking, history).gate.invalid).toEqual([
      {
        caseKey: key,
        metric: null,
        message:
          "The baseline's spec has it, the candidate's no longer does. Put it back, or accept its removal by name.",
      },
    ]);
    const withoutMemory = head();
    delete withoutMemory.cases[0]!.metrics['memory-peak'];
    expect(storedComparison(base, withoutMemory, history).gate.invalid).toMatchObject([{ metric: 'memory-peak' }]);
  });
});

describe('a run of a part of the cases', () => {
  const recordOf = (id: string) =>
    madeUpRecord({
      id,
      comparing: null,
      cases: [{}, { connections: 1000 }, { endpoint: 'health' }].map((each) => ({
        ...each,
        only: 'candidate' as const,
      })),
    });
  const all = recordOf('all');
  const missingIn = (part: RunRecord, only: string | null = null) =>
    storedComparison(all, part, noHistory, { only }).gate.invalid.map(({ caseKey }) => caseKey);

  it('misses nothing of what was not selected', () => {
    const part = recordOf('part');
    part.cases = part.cases.filter(({ endpoint }) => endpoint === 'ping');
    expect(missingIn(part, '/ping')).toEqual([]);
    expect(missingIn(part)).toEqual(['go/health/direct/wrk/keep-alive/100']);
    part.cases = part.cases.slice(1);
    expect(missingIn(part, '/ping')).toEqual([key]);
  });

  it('misses a number of connections that its spec has no more', () => {
    const part = recordOf('part');
    part.cases = part.cases.filter(({ connections }) => connections === 100);
    part.spec.load.wrk!.connections = [100];
    expect(missingIn(part)).toEqual(['go/ping/direct/wrk/keep-alive/1000']);
  });

  it('misses nothing of what a quick run leaves out', () => {
    const withThree = (id: string) => {
      const record = madeUpRecord({
        id,
        comparing: null,
        cases: [100, 500, 1000].map((connections) => ({ connections, only: 'candidate' as const })),
      });
      record.spec.load.wrk!.connections = [100, 500, 1000];
      return record;
    };
    const [full, quick] = [withThree('full'), withThree('quick')];
    quick.cases = quick.cases.filter(({ connections }) => connections !== 500);
    const missing = () => storedComparison(full, quick, noHistory).gate.invalid.map(({ caseKey }) => caseKey);
    expect(missing()).toEqual(['go/ping/direct/wrk/keep-alive/500']);
    quick.spec = quickened(full.spec);
    expect(missing()).toEqual([]);
  });

  it('misses an endpoint and a service that its spec has no more', () => {
    const part = recordOf('part');
    part.spec.endpoints = part.spec.endpoints.filter(({ name }) => name === 'ping');
    part.cases = part.cases.filter(({ endpoint }) => endpoint === 'ping');
    expect(missingIn(part)).toEqual(['go/health/direct/wrk/keep-alive/100']);
  });
});

describe('a service that the candidate calls a reference', () => {
  it('stays in the gate that it is a subject of, and is no reference for itself', () => {
    const other = head({ ratios: { throughput: 0.7 } });
    for (const service of other.spec.services) service.role = 'reference';
    const comparison = storedComparison(base, other, history);
    expect(verdictsOf(comparison, ['throughput'])).toEqual(['regression']);
    expect(notesOf(comparison, ['throughput'])).toEqual(['relative to nginx, which both runs measured as well']);
    expect(codesOf(comparison)).toEqual(['stored-numbers', 'role-changed']);
  });
});

describe('how far a run lies from those before it', () => {
  it('is the mean square of its distance from the median of up to five of them', () => {
    // 0.3 from the median of 0, 0.1, 0.2, and 0.05 from that of 0, 0.1, 0.2, 0.4.
    expect(runToRunVariance([0, 0.1, 0.2, 0.4, 0.1])).toEqual({
      value: expect.closeTo((0.3 ** 2 + 0.05 ** 2) / 2, 12),
      degreesOfFreedom: 1.5,
    });
  });

  it('counts a step while the median follows it, three runs long', () => {
    const step = [...new Array(30).fill(0), ...new Array(30).fill(0.3)];
    expect(runToRunVariance(step)!.value).toBeCloseTo((3 * 0.09) / 57, 12);
  });

  it('is not what one broken run says: it is pulled in', () => {
    const runs = Array.from({ length: 40 }, (_, index) => 0.01 * (index % 3));
    const broken = runs.with(20, 3);
    expect(runToRunVariance(broken)!.value).toBeLessThan(3 * runToRunVariance(runs)!.value);
  });

  it('is told from the last sixty runs alone', () => {
    const recent = Array.from({ length: 60 }, (_, index) => 0.01 * (index % 3));
    expect(runToRunVariance([...new Array(40).fill(5), ...recent])).toEqual(runToRunVariance(recent));
  });

  it('is never nothing, and unknown of few runs', () => {
    expect(runToRunVariance(new Array(10).fill(1))!.value).toBe(1e-6);
    expect(runToRunVariance([1, 2, 3, 4])).toBeNull();
  });
});

describe('null runs', () => {
  it('are not red: 300 comparisons of one run with the next', () => {
    const red = Array.from({ length: 300 }, (_, index) => {
      const runs = storedRuns(21, { seed: 100 + index });
      return storedComparison(runs[19]!, runs[20]!, historyOf(runs.slice(0, 20))).gate.regressions.length;
    }).filter((count) => count > 0);
    expect(red.length).toBeLessThanOrEqual(3);
  });
});

describe('a history', () => {
  it('is no more than two columns of numbers for each', () => {
    const { runs, series } = historyOf(storedRuns(50));
    expect(runs).toHaveLength(50);
    expect(Object.keys(runs[0]!)).toEqual(['id', 'sha', 'startedAt', 'conditions']);
    for (const { runs: own, values } of series.values()) expect([own.length, values.length]).toEqual([50, 50]);
  });
});
