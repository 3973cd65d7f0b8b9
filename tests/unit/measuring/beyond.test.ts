import { describe, expect, it } from 'vitest';
import { AUTO_WARM_UP } from '../../../src/core/config/load.ts';
import type { Variant } from '../../../src/core/measurement/names.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { normal } from '../../support/made-up/samples.ts';
import { type ComparingRun, comparingRun, smallSpec } from '../support/comparing.ts';

const FEW = 'go/ping/direct/wrk/keep-alive/10';
const MANY = 'go/ping/direct/wrk/keep-alive/1000';

function specWith(connections: number[], endpoints?: Parameters<typeof smallSpec>[0]) {
  const spec = smallSpec(endpoints);
  return { ...spec, load: { ...spec.load, wrk: { ...spec.load.wrk!, connections } } };
}

const rateSpec = () => {
  const spec = smallSpec();
  const arrival = { kind: 'share' as const, shareOfCapacity: 0.6 };
  const k6 = { arrival, connections: [2], keepAlive: [true], durationSeconds: 10, timeoutSeconds: 10, script: null };
  return { ...spec, load: { ...spec.load, wrk: null, k6 } };
};

const slow = (perSecond: number | ((variant: Variant) => number), more: Partial<ComparingRun> = {}) =>
  comparingRun({
    ...{ candidate: specWith([10, 1000]), isShort: true, budgetSeconds: 30 },
    machine: { throughput: (variant) => (typeof perSecond === 'number' ? perSecond : perSecond(variant)) },
    ...more,
  });

const statuses = ({ cases }: RunRecord) =>
  cases
    .map(({ key, variant, status }) => [key, variant, status])
    .toSorted((one, other) => (`${one}` < `${other}` ? -1 : 1));
const trialsOf = (journal: readonly JournalEntry[], key: string) =>
  journal.flatMap((entry) => (entry.kind === 'trial' && entry.caseKey === key ? [entry] : []));

describe.each([true, false])(
  'a case that neither side answers in time, where short trials are enough: %s',
  (isShort) => {
    it('is not measured, by what fewer connections have shown', async () => {
      const { record, journal, log, comparison } = await slow(20, { isShort });
      expect(statuses(record)).toEqual([
        [FEW, 'baseline', 'valid'],
        [FEW, 'candidate', 'valid'],
        [MANY, 'baseline', 'beyond'],
        [MANY, 'candidate', 'beyond'],
      ]);
      expect(record.cases.at(-1)).toMatchObject({
        beyond: { answersPerSecond: 20, requestSeconds: 50 },
        reasons: [
          {
            code: 'beyond-service',
            message:
              'beyond the service: a request would take about 50 s at 1,000 connections, and its timeout is 2 s; it answers about 20/s',
          },
        ],
      });
      expect(trialsOf(journal, MANY)).toEqual([]);
      expect(log.filter((line) => line.includes('beyond the service'))).toHaveLength(1);
      expect(comparison.gate).toMatchObject({ invalid: [], leftOut: [], beyond: [{ caseKey: MANY, metric: null }] });
    });
  },
);

describe('a case of a service that works on many requests at once', () => {
  // Ten connections wait no longer than one would: what more of them get is not known before it is tried.
  const machine = { requestSeconds: 0.1, throughput: () => 100 };

  it('is tried, and set aside by what its own trial has shown', async () => {
    const { record, journal } = await slow(100, { machine });
    expect(statuses(record).map(([, , status]) => status)).toEqual(['valid', 'valid', 'beyond', 'beyond']);
    // Of the published figures alone.
    expect(trialsOf(journal, MANY).map(({ round, mode }) => [round, mode])).toEqual([
      [0, 'solo'],
      [0, 'solo'],
    ]);
  });

  it('is measured as any other where that holds it', async () => {
    const { record, journal } = await slow(5000);
    expect(statuses(record).map(([, , status]) => status)).toEqual(['valid', 'valid', 'valid', 'valid']);
    expect(trialsOf(journal, MANY).some(({ mode }) => mode === 'duet')).toBe(true);
  });
});

describe('a case that a cold warm-up alone speaks against', () => {
  const run = (warm: number) =>
    slow(0, {
      candidate: specWith([100, 1000]),
      machine: { throughput: (_, loadedSeconds) => (loadedSeconds < 1 ? 50 : warm) },
    });

  it('is tried, and measured where its service holds it', async () => {
    const { record } = await run(3000);
    expect(statuses(record).map(([, , status]) => status)).toEqual(Array(4).fill('valid'));
  });

  it('is set aside where a trial over fewer connections speaks against it too', async () => {
    const { record, journal } = await run(400);
    expect(statuses(record).map(([, , status]) => status)).toEqual(['valid', 'valid', 'beyond', 'beyond']);
    expect(trialsOf(journal, MANY)).toEqual([]);
  });
});

describe('a case whose requests all come back after the windows of its warm-up', () => {
  // 30 requests/s one after the other, and next to none in a warm-up of a second over 1,000 connections.
  const machine = {
    requestSeconds: 1 / 30,
    throughput: (_: Variant, loadedSeconds: number) => (loadedSeconds < 1 ? 1 : 1000),
  };

  it.each([true, false])('is tried all the same, where short trials are enough: %s', async (isShort) => {
    const { record } = await slow(0, { candidate: specWith([20]), machine, isShort });
    expect(statuses(record).map(([, , status]) => status)).not.toContain('beyond');
  });
});

describe('a service of one worker that sleeps', () => {
  // 20 requests/s one after the other, and 18/s beside the other side: neither takes anything from the other.
  const machine = { requestSeconds: 0.05, throughput: () => 18 };

  it('is known by what a side has reached, and not by twice that', async () => {
    const { record } = await slow(18, { machine });
    expect(record.cases.flatMap(({ beyond }) => beyond ?? [])).toEqual(
      Array(2).fill({ answersPerSecond: 18, requestSeconds: 1000 / 18 }),
    );
  });

  it('is sent a share of that', async () => {
    const { journal } = await slow(18, { candidate: rateSpec(), machine });
    expect(journal.flatMap((entry) => (entry.kind === 'rate' ? [[entry.solo, entry.duet]] : []))).toEqual([[11, 6]]);
  });
});

describe('a case that one side alone no longer answers in time', () => {
  it('is measured: that is what is to be found', async () => {
    const { record, journal, comparison } = await slow((variant) => (variant === 'candidate' ? 20 : 5000));
    expect(statuses(record).map(([, , status]) => status)).not.toContain('beyond');
    expect(trialsOf(journal, MANY)).toHaveLength(2);
    expect(comparison.gate).toMatchObject({ passed: false, invalid: [{ caseKey: MANY }], beyond: [] });
  });
});

describe('a run in which every case is beyond the service', () => {
  it('passes no gate', async () => {
    const { comparison } = await slow(20, { candidate: specWith([1000]) });
    expect(comparison.gate).toMatchObject({
      passed: false,
      invalid: [
        {
          caseKey: '*',
          metric: null,
          message: 'Every case asks more than the service answers in time, and none was measured.',
        },
      ],
    });
  });
});

describe('a run that goes on', () => {
  it('does not try again what was beyond the service', async () => {
    const first = await slow(20);
    const again = await slow(20, { resumed: first.journal.filter(({ kind }) => kind !== 'end'), budgetSeconds: 60 });
    expect(again.log.filter((line) => line.includes('beyond the service'))).toEqual([]);
    expect(statuses(again.record)).toEqual(statuses(first.record));
  });
});

describe('trials of a slow service', () => {
  const durations = (journal: readonly JournalEntry[], key: string, mode: 'solo' | 'duet') => [
    ...new Set(
      trialsOf(journal, key)
        .filter((trial) => trial.mode === mode)
        .map(({ outcome }) => outcome?.durationSeconds),
    ),
  ];

  it('are long enough for 50 answers of each side, as far as the budget has it', async () => {
    const candidate = specWith([2]);
    const { journal } = await slow(4, { candidate, budgetSeconds: 900 });
    expect(durations(journal, 'go/ping/direct/wrk/keep-alive/2', 'duet')).toEqual([12.5]);
  });

  it('leave room for the rounds that a verdict takes', async () => {
    const { journal } = await slow(4, { candidate: specWith([2]), budgetSeconds: 100, limit: 0 });
    const rounds = journal.flatMap((entry) => (entry.kind === 'round' ? [entry.comparingSeconds] : []));
    expect(rounds).toHaveLength(8);
    const seconds = durations(journal, 'go/ping/direct/wrk/keep-alive/2', 'duet') as number[];
    expect(seconds[0]).toBe(5.9);
    // What starts and warm-ups take less than was thought is left to the trials.
    expect(Math.max(...seconds)).toBeGreaterThan(5.9);
  });

  it('send 50 requests at a rate', async () => {
    // 20/s of both together: 12/s alone, and 6/s of each side beside the other.
    const { journal, record } = await slow(10, { candidate: rateSpec(), budgetSeconds: 900 });
    expect(durations(journal, 'go/ping/direct/k6/keep-alive/2@60%', 'solo')).toEqual([4.2]);
    expect(durations(journal, 'go/ping/direct/k6/keep-alive/2@60%', 'duet')).toEqual([8.3]);
    expect(statuses(record).map(([, , status]) => status)).toEqual(['valid', 'valid']);
  });

  it('are at the rate of a duet where a side by itself does not hold what both together seemed to', async () => {
    const { journal, record } = await slow(10, {
      ...{ candidate: rateSpec(), budgetSeconds: 900 },
      machine: { throughput: () => 10, holdsAlone: 10 },
    });
    expect(journal.flatMap((entry) => (entry.kind === 'rate' ? [[entry.solo, entry.duet]] : []))).toEqual([[6, 6]]);
    expect(record.cases.flatMap(({ status, warnings }) => [status, ...warnings])).toEqual(['valid', 'valid']);
  });

  it('are none at a rate that would be next to nothing', async () => {
    const { record } = await slow(1, { candidate: rateSpec(), budgetSeconds: 900 });
    expect(record.cases.map(({ status, beyond, reasons }) => [status, beyond, reasons[0]?.message])).toEqual(
      Array(2).fill([
        'beyond',
        { answersPerSecond: 2 },
        'beyond the service: a share of that is too few requests for a trial; it answers about 2/s',
      ]),
    );
  });

  it('are as short as ever of a fast one', async () => {
    const { journal } = await slow(1000, { candidate: specWith([10]), budgetSeconds: 900 });
    expect(durations(journal, FEW, 'solo')).toEqual([0.6]);
    expect(durations(journal, FEW, 'duet')).toEqual([0.5]);
  });
});

describe('an application that answers 8 requests/s, each of which costs another time', () => {
  const limits = {
    'cpu-per-request': { maxIncrease: { kind: 'ratio' as const, value: 0.03 } },
    'bytes-per-response': { maxIncrease: { kind: 'absolute' as const, value: 0 } },
  };
  const application = async () => {
    const names = ['devices', 'device', 'sites', 'racks', 'journal'];
    const spec = smallSpec(names.map((name) => ({ name, path: `/${name}` })));
    const load = { ...spec.load, wrk: { ...spec.load.wrk!, connections: [16], timeoutSeconds: 10 } };
    const random = seededRandom(7);
    const { comparison, record } = await comparingRun({
      candidate: { ...spec, load: { ...load, warmUp: { kind: 'auto', ...AUTO_WARM_UP } } },
      ...{ metrics: limits, isShort: true, budgetSeconds: 720, extraSeconds: 180 },
      machine: {
        startSeconds: 20,
        throughput: () => 4,
        // As of Miniflux, whose CPU per request scatters by 3.5 % in trials of 17 requests.
        cpuOf: (requests) => 80e6 * requests * (1 + (0.15 * normal(random)) / Math.sqrt(Math.max(1, requests))),
      },
    });
    return { comparison, record };
  };

  it('is measured in CPU per request and counts of all endpoints', async () => {
    const { comparison, record } = await application();
    expect(record.cases.map(({ status }) => status)).toEqual(Array(10).fill('valid'));
    expect(record.cases.flatMap(({ warnings }) => warnings.map(({ code }) => code))).not.toContain('warm-up-unsteady');
    expect(comparison.gate.notMeasured).toEqual([]);
    const all = comparison.cases.map(({ metrics }) => metrics);
    expect(all.map((metrics) => metrics['bytes-per-response']?.verdict)).toEqual(Array(5).fill('no-change'));
    expect(all.map((metrics) => (metrics['cpu-per-request']?.minimumDetectable ?? 1) < 0.3)).toEqual(
      Array(5).fill(true),
    );
  });
});

describe('the warm-up of an endpoint', () => {
  it('is said of its own cases alone', async () => {
    const { journal } = await slow(1000, { candidate: specWith([10], [{}, { name: 'users', path: '/users' }]) });
    const [trial] = trialsOf(journal, FEW);
    expect(trial!.warmUp).toEqual({ seconds: 1, steady: true });
  });
});
