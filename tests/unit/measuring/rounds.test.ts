import { describe, expect, it } from 'vitest';
import { TestbedError, type TestbedRequest } from '../../../src/app/ports/testbed.ts';
import { AUTO_WARM_UP } from '../../../src/core/config/load.ts';
import type { H2loadLoad } from '../../../src/core/generators/h2load/load.ts';
import type { Variant } from '../../../src/core/measurement/names.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { normal } from '../../support/made-up/samples.ts';
import { type ComparingRun, comparingRun, smallSpec } from '../support/comparing.ts';

const K6_CASE = 'go/ping/direct/k6/keep-alive/50@60%';
/** Two equal sides never show that there is no loss at all: every round of the budget is measured. */
const limit = 0;

const autoSpec = (endpoints?: Parameters<typeof smallSpec>[0]) => {
  const spec = smallSpec(endpoints);
  return { ...spec, load: { ...spec.load, warmUp: { kind: 'auto' as const, ...AUTO_WARM_UP } } };
};
const k6Spec = (endpoints?: Parameters<typeof smallSpec>[0]) => {
  const spec = smallSpec(endpoints);
  const arrival = { kind: 'share' as const, shareOfCapacity: 0.6 };
  const k6 = { arrival, connections: [50], keepAlive: [true], durationSeconds: 10, timeoutSeconds: 10, script: null };
  return { ...spec, load: { ...spec.load, wrk: null, k6 } };
};

/** What was asked of the machine in each round, without its starts; where they do not overlap. */
function roundsOf(log: readonly string[]): Map<number, string[]> {
  const rounds = new Map<number, string[]>();
  let current = 0;
  for (const line of log) {
    const started = /^start \w+ (\d+)$/.exec(line);
    if (started !== null) current = Number(started[1]);
    else rounds.set(current, [...(rounds.get(current) ?? []), line]);
  }
  return rounds;
}

/** `wrk 1 s`, or `wrk 1 s to warm up`, for each load of the candidate. */
const loadsIn = (lines: readonly string[] = []) =>
  lines.flatMap((line) => {
    const [, generator, seconds, purpose] =
      /^(\w+) candidate \w+ for ([\d.]+ s)(?: at \S+)?( to warm up)?$/.exec(line) ?? [];
    return generator === undefined ? [] : [`${generator} ${seconds}${purpose ?? ''}`];
  });
const placesOf = (journal: readonly JournalEntry[], kind: 'pass' | 'round') =>
  journal.flatMap((entry) => (entry.kind === kind ? [entry.round] : []));
const upAndDown = (log: readonly string[]) => log.filter((line) => /^(start|stop|down|ask) /.test(line));

describe('the rest after a load', () => {
  const opened = async (rests: boolean) => {
    const { log, journal } = await comparingRun({ limit, budgetSeconds: 40, machine: { rests } });
    const trials = journal.flatMap((entry) => (entry.kind === 'trial' ? [entry] : []));
    return { trials, opens: log.filter((line) => line.startsWith('open ')) };
  };

  it('is waited for in each trial of wrk', async () => {
    const { trials, opens } = await opened(true);
    expect(trials.length).toBeGreaterThanOrEqual(10);
    expect(opens).toHaveLength(trials.length);
    expect(trials.every(({ afterLoad }) => afterLoad !== undefined)).toBe(true);
  });

  it('is not waited for any more where a case has had two trials of each side without', async () => {
    const { trials, opens } = await opened(false);
    expect(trials.length).toBeGreaterThanOrEqual(10);
    expect(opens.toSorted()).toEqual([
      ...['open baseline ping', 'open baseline ping'],
      ...['open candidate ping', 'open candidate ping'],
    ]);
    expect(trials.every(({ afterLoad }) => afterLoad === undefined)).toBe(true);
  });
});

describe('the warm-up of a comparing run', () => {
  it('goes on in the first round until both answer no more, and is as long in later ones as that has shown', async () => {
    const { log } = await comparingRun({
      candidate: autoSpec(),
      limit,
      budgetSeconds: 30,
      machine: { throughput: (_, loadedSeconds) => (loadedSeconds < 0.5 ? 500 : 1000) },
    });
    const rounds = roundsOf(log);
    expect(rounds.size).toBeGreaterThan(3);
    expect(loadsIn(rounds.get(1)).slice(0, 5)).toEqual([...Array(4).fill('wrk 0.5 s to warm up'), 'wrk 0.5 s']);
    // One window of the second that it took to get there, then the trials.
    for (const round of [2, 3])
      expect(loadsIn(rounds.get(round))).toEqual(['wrk 1 s to warm up', ...loadsIn(rounds.get(1)).slice(4)]);
    expect(new Set(loadsIn(rounds.get(1)).slice(4))).toEqual(new Set(['wrk 0.5 s']));
  });

  it('is no longer for the sake of a brief one that saw next to nobody answered, where an earlier one saw more', async () => {
    const { log } = await comparingRun({
      candidate: autoSpec(),
      limit,
      budgetSeconds: 60,
      machine: { throughput: (_, loadedSeconds) => (loadedSeconds < 0.5 ? 2 : 1000) },
    });
    const rounds = roundsOf(log);
    expect(rounds.size).toBeGreaterThan(3);
    for (const round of [2, 3, 4]) expect(loadsIn(rounds.get(round))[0]).toBe('wrk 1.5 s to warm up');
  });

  it('is learnt for each endpoint', async () => {
    const { log } = await comparingRun({
      candidate: autoSpec([{}, { name: 'users', path: '/users' }]),
      limit,
      budgetSeconds: 30,
    });
    const second = roundsOf(log).get(2)!;
    const warmUps = second.filter((line) => line.endsWith(' to warm up'));
    expect(warmUps.sort()).toEqual([
      'wrk baseline ping for 0.5 s to warm up',
      'wrk baseline users for 0.5 s to warm up',
      'wrk candidate ping for 0.5 s to warm up',
      'wrk candidate users for 0.5 s to warm up',
    ]);
  });

  it('is of two windows for the other way of opening connections, in which the endpoint is all but warm', async () => {
    const candidate = autoSpec();
    candidate.load.wrk!.keepAlive = [true, false];
    const { log } = await comparingRun({ candidate, limit, budgetSeconds: 30, isShort: true });
    expect(loadsIn(roundsOf(log).get(0)).filter((load) => load === 'wrk 0.5 s to warm up')).toHaveLength(4 + 2);
  });

  it('is shorter for each endpoint the more there are', async () => {
    const spec = autoSpec(['ping', 'time', 'users', 'posts'].map((name) => ({ name, path: `/${name}` })));
    const { log } = await comparingRun({
      ...{ candidate: spec, limit, budgetSeconds: 60, isShort: true },
      machine: { throughput: (_, loadedSeconds) => 1000 * 1.1 ** loadedSeconds },
    });
    expect(loadsIn(roundsOf(log).get(1)).slice(0, 5)).toEqual([...Array(4).fill('wrk 0.5 s to warm up'), 'wrk 0.5 s']);
  });

  it('is learnt again by a run that goes on', async () => {
    const first = await comparingRun({ candidate: autoSpec(), limit, budgetSeconds: 20 });
    const [last] = placesOf(first.journal, 'round').slice(-1);
    const again = await comparingRun({
      ...{ candidate: autoSpec(), limit, budgetSeconds: 40 },
      resumed: first.journal.filter(({ kind }) => kind !== 'end'),
    });
    expect(loadsIn(roundsOf(again.log).get(last! + 1)).slice(0, 4)).toEqual(Array(4).fill('wrk 0.5 s to warm up'));
  });
});

describe('answers of later rounds', () => {
  it('are looked at and not counted: passes are of the published figures and of the first round', async () => {
    const { journal } = await comparingRun({ limit, budgetSeconds: 60 });
    expect(placesOf(journal, 'round').length).toBeGreaterThan(3);
    expect(placesOf(journal, 'pass')).toEqual([0, 0, 1, 1]);
  });

  it('are counted again, up to the eight passes that a verdict takes, where a count varies by itself', async () => {
    let passes = 0;
    const { journal } = await comparingRun({
      metrics: { 'bytes-per-response': { maxIncrease: { kind: 'absolute', value: 0 } } },
      budgetSeconds: 600,
      machine: { extraBytes: () => [0, 2, 1, 0, 3, 1][passes++ % 6]! },
    });
    expect(placesOf(journal, 'pass')).toEqual([0, 1, 2, 3, 4, 5, 6, 7].flatMap((round) => [round, round]));
    expect(placesOf(journal, 'round')).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('lose their case all the same where they are not as expected', async () => {
    let ended = 0;
    const { journal } = await comparingRun({
      candidate: smallSpec([
        { expect: { status: 200, contentType: null, body: 'OK', sizeBytes: null, matches: null } },
      ]),
      limit,
      machine: {
        onAppend: (entry) => {
          if (entry.kind === 'round') ended += 1;
        },
        body: (variant) => (variant === 'candidate' && ended === 2 ? 'gone' : 'OK'),
      },
    });
    const lost = journal.flatMap((entry) => (entry.kind === 'lost' ? [entry] : []));
    expect(lost.map(({ variant, reason }) => [variant, reason.code, reason.message])).toEqual([
      ['candidate', 'unexpected-body', 'go does not answer GET /ping as expected: body: expected "OK", got "gone"'],
    ]);
    expect(placesOf(journal, 'round')).toEqual([1, 2, 3]);
  });
});

describe('the published figures', () => {
  it('are of trials as long as the spec has them, each side warmed up by itself', async () => {
    const { log } = await comparingRun({ budgetSeconds: 1 });
    expect(loadsIn(roundsOf(log).get(0))).toEqual(['wrk 1 s to warm up', 'wrk 10 s']);
  });

  it('are of short trials where only the change matters, right after both were warmed up together', async () => {
    const { log, journal, record } = await comparingRun({ budgetSeconds: 1, isShort: true });
    // The warm-up of both together, and the trial.
    expect(loadsIn(roundsOf(log).get(0))).toEqual(['wrk 1 s to warm up', 'wrk 0.6 s']);
    const published = journal.flatMap((entry) => (entry.kind === 'trial' && entry.round === 0 ? [entry] : []));
    expect(published.map(({ mode, variant }) => [mode, variant]).sort()).toEqual([
      ['solo', 'baseline'],
      ['solo', 'candidate'],
    ]);
    expect(record.cases.map(({ metrics }) => metrics.throughput?.value)).toEqual([1000, 1000]);
  });

  it('are of 1.2 s with k6, whose rate is the same in the duets', async () => {
    const { journal } = await comparingRun({ candidate: k6Spec(), budgetSeconds: 1, isShort: true });
    const rates = journal.flatMap((entry) =>
      entry.kind === 'trial' ? [[entry.mode, entry.durationNs / 1e9, entry.rate]] : [],
    );
    // Both together answer 2000/s in their warm-up: that is the capacity of the CPUs that they share.
    expect(rates.slice(0, 2)).toEqual(Array(2).fill(['solo', 1.2, 1200]));
    expect(rates.slice(2)).toEqual(Array(rates.length - 2).fill(['duet', 2.5, 600]));
  });

  describe('of sides that take turns', () => {
    const ratesOf = async (candidate: ReturnType<typeof smallSpec>, more: Partial<ComparingRun> = {}) => {
      const given: ComparingRun = { candidate, mode: 'interleaved', isShort: true, budgetSeconds: 1, ...more };
      const { journal } = await comparingRun(given);
      return [...new Set(journal.flatMap((entry) => (entry.kind === 'trial' ? (entry.rate ?? []) : [])))];
    };

    it('are at a share of what one side answers, which is half of what both do in their warm-up', async () => {
      expect(await ratesOf(k6Spec())).toEqual([600]);
    });

    it('are at a share of what the slower side answers by itself, where that is more than half', async () => {
      const spec = smallSpec();
      const candidate = { ...spec, load: { ...spec.load, k6: k6Spec().load.k6 } };
      // Both are slower while they are warmed up together, as on a CPU that they share.
      const throughput = (_: Variant, loadedSeconds: number) => (loadedSeconds < 1 ? 500 : 1000);
      expect(await ratesOf(candidate, { machine: { throughput } })).toEqual([600]);
    });
  });

  it('tell the capacity better than a warm-up that was too short: of the slower side, for the rates that come after them', async () => {
    const { load } = k6Spec();
    const spec = smallSpec();
    const { journal } = await comparingRun({
      candidate: { ...spec, load: { ...spec.load, k6: load.k6 } },
      budgetSeconds: 1,
      isShort: true,
      machine: {
        throughput: (variant, loadedSeconds) => (loadedSeconds < 1 ? 200 : variant === 'candidate' ? 900 : 1000),
      },
    });
    expect(journal.flatMap((entry) => (entry.kind === 'rate' ? [[entry.solo, entry.duet]] : []))).toEqual([[540, 270]]);
  });
});

describe('a start of both sides', () => {
  it('is brief for a round that compares, and is not for the published figures', async () => {
    const starts: [number, boolean | undefined][] = [];
    const start = ({ round, isBrief }: TestbedRequest) => {
      starts.push([round, isBrief]);
      return null;
    };
    await comparingRun({ limit, budgetSeconds: 1, machine: { start } });
    expect(starts).toEqual([
      [0, false],
      [0, false],
      [1, true],
      [1, true],
    ]);
  });
});

describe('the seconds on top of an automatic budget', () => {
  const rounds = async (
    budgetSeconds: number,
    extraSeconds: number,
    longestSeconds = budgetSeconds,
    startSeconds = 20,
  ) =>
    placesOf(
      (await comparingRun({ limit, budgetSeconds, extraSeconds, longestSeconds, machine: { startSeconds } })).journal,
      'round',
    ).length;

  it('give a busy machine the eight rounds that a verdict takes, and no more', async () => {
    expect(await rounds(100, 0)).toBeLessThan(8);
    expect(await rounds(100, 620)).toBe(8);
    expect(await rounds(500, 220)).toBeGreaterThan(8);
    expect(await rounds(500, 220)).toBe(await rounds(500, 0));
  });

  it('are not exceeded either', async () => {
    expect(await rounds(100, 100)).toBe(await rounds(200, 0));
  });

  it('give a slower machine as many rounds as were expected of the budget', async () => {
    // Each round takes longer than the budget has been made for.
    const expected = await rounds(300, 600, 1e6);
    expect(expected).toBeGreaterThan(await rounds(300, 600));
    expect(await rounds(300, 600, 1e6, 40)).toBe(expected);
  });

  it('give it no more than the longest budget has for them', async () => {
    expect(await rounds(300, 600, 500)).toBe(await rounds(500, 0));
  });

  it('are none where a machine is as fast as was expected', async () => {
    expect(await rounds(300, 600, 720, 0)).toBe(await rounds(300, 600, 300, 0));
  });

  it('give the longest budget to one on which rounds scatter so much that twice a limit would not show', async () => {
    const scattering = async (budgetSeconds: number, longestSeconds: number) => {
      const random = seededRandom(3);
      const throughput = (variant: Variant) => (variant === 'candidate' ? 1000 * Math.exp(0.2 * normal(random)) : 1000);
      const { journal } = await comparingRun({ limit, budgetSeconds, longestSeconds, machine: { throughput } });
      return placesOf(journal, 'round').length;
    };
    expect(await scattering(100, 300)).toBe(await scattering(300, 300));
    expect(await scattering(100, 300)).toBeGreaterThan(await scattering(100, 100));
  });
});

describe('a comparison that is red', () => {
  /** Memory stays undecided: two equal sides never show that there is no rise at all. */
  const rounds = async (redSeconds: number, slower = 0.7, more: Pick<ComparingRun, 'resumed' | 'accepted'> = {}) => {
    const { journal, comparison } = await comparingRun({
      metrics: {
        throughput: { maxDecrease: { kind: 'ratio', value: 0.05 } },
        'memory-peak': { maxIncrease: { kind: 'ratio', value: 0 } },
      },
      ...{ budgetSeconds: 600, redSeconds, ...more },
      machine: { startSeconds: 20, throughput: (variant) => (variant === 'candidate' ? 1000 * slower : 1000) },
    });
    return { journal, count: placesOf(journal, 'round').length, regressions: comparison.gate.regressions.length };
  };

  it('ends once it has lasted so long, whatever else is undecided', async () => {
    const [whole, sooner] = [await rounds(Number.POSITIVE_INFINITY), await rounds(300)];
    expect(sooner.regressions).toBe(whole.regressions);
    expect(sooner.regressions).toBeGreaterThan(0);
    expect(sooner.count).toBeGreaterThanOrEqual(8);
    expect(sooner.count).toBeLessThan(whole.count);
  });

  it('begins no round that would last longer', async () => {
    const { journal, count } = await rounds(400);
    const spent = journal.map((entry) => (entry.kind === 'round' ? entry.comparingSeconds : 0));
    expect(count).toBe(9);
    expect(spent.reduce((sum, each) => sum + each, 0)).toBeLessThan(400);
  });

  it('is thought to take a tenth longer for that, and goes on to the end of a budget that somebody has set', async () => {
    const { journal } = await rounds(400);
    const first = journal.flatMap((entry) => (entry.kind === 'round' ? [entry.comparingSeconds] : []));
    const nine = first.slice(0, 9).reduce((sum, each) => sum + each, 0);
    expect((await rounds(nine + 1)).count).toBe(8);
    expect((await rounds(nine + 0.1 * first[8]! + 1)).count).toBe(9);
    expect((await rounds(Number.POSITIVE_INFINITY)).count).toBe(Math.floor(600 / (nine / 9)));
  });

  it('has the rounds that a verdict takes all the same', async () => {
    expect((await rounds(1)).count).toBe(8);
  });

  it('has no more time where it goes on after an interruption', async () => {
    const { journal, count } = await rounds(400);
    const last = journal.findIndex((entry) => entry.kind === 'round' && entry.round === count - 2);
    expect((await rounds(400, 0.7, { resumed: journal.slice(0, last + 1) })).count).toBe(count);
  });

  it('goes on as long as any other where nothing is red', async () => {
    expect((await rounds(300, 1)).count).toBe((await rounds(Number.POSITIVE_INFINITY, 1)).count);
  });

  it('goes on as long as any other where somebody accepts all that is red: what else is worse must not hide behind it', async () => {
    const accepted = [{ cases: '/ping', metric: 'throughput', reason: 'TLS everywhere' }];
    const [sooner, whole] = [await rounds(300, 0.7, { accepted }), await rounds(Number.POSITIVE_INFINITY)];
    expect(sooner).toMatchObject({ count: whole.count, regressions: 0 });
  });
});

describe('what k6 can send', () => {
  const calibrations = (log: readonly string[]) =>
    log.filter((line) => line.startsWith('k6') && !line.includes(' at ')).length;
  const two = [{}, { name: 'users', path: '/users' }];

  it('is measured once in a run, for all of its endpoints', async () => {
    const { log } = await comparingRun({ candidate: k6Spec(two), limit, budgetSeconds: 30 });
    expect(calibrations(log)).toBe(1);
  });

  it('is measured with each case where nothing else tells its capacity', async () => {
    const candidate = k6Spec(two);
    candidate.load.warmUp = { kind: 'fixed', seconds: 0 };
    const { log, journal } = await comparingRun({ candidate, limit, budgetSeconds: 30 });
    expect(calibrations(log)).toBe(2);
    const rates = journal.flatMap((entry) => (entry.kind === 'rate' ? [entry.solo] : []));
    expect(rates).toEqual([600, 600]);
  });
});

describe('a closed loop beside the other side, of a service that answers late', () => {
  const slowCandidate = (firstAnswerSeconds: number) =>
    comparingRun({
      ...{ limit, budgetSeconds: 60 },
      machine: { firstAnswerSeconds: (variant) => (variant === 'candidate' ? firstAnswerSeconds : 0) },
    });
  const lengthened = (log: readonly string[]) => log.filter((line) => line.includes('answered no request within'));
  const inDuets = (journal: readonly JournalEntry[]) =>
    journal.flatMap((entry) => (entry.kind === 'trial' && entry.mode === 'duet' ? [entry] : []));

  it('is made as long as both sides need to answer, for the rest of the run', async () => {
    const { log, journal, record } = await slowCandidate(1.5);
    expect(lengthened(log)).toEqual([
      'say go/ping/direct/wrk/keep-alive/100: a side answered no request within 0.5 s; going on with trials of 1 s',
      'say go/ping/direct/wrk/keep-alive/100: a side answered no request within 1 s; going on with trials of 2 s',
    ]);
    expect(placesOf(journal, 'round').length).toBeGreaterThan(2);
    // What was too short is not in the journal: chance alone decides which side it leaves without an answer.
    expect(new Set(inDuets(journal).map(({ outcome }) => outcome?.durationSeconds))).toEqual(new Set([2]));
    expect(record.cases.map(({ status }) => status)).toEqual(['valid', 'valid']);
  });

  it('is measured as it is where one side answers nothing in 4 s either, and its case is invalid', async () => {
    const { log, journal, record } = await slowCandidate(10);
    expect(lengthened(log)).toEqual([
      'say go/ping/direct/wrk/keep-alive/100: a side answered no request within 0.5 s; going on with trials of 1 s',
      'say go/ping/direct/wrk/keep-alive/100: a side answered no request within 1 s; going on with trials of 2 s',
      'say go/ping/direct/wrk/keep-alive/100: a side answered no request within 2 s; going on with trials of 4 s',
    ]);
    expect(
      new Set(inDuets(journal).map(({ round, outcome }) => `round ${round}: ${outcome?.durationSeconds} s`)),
    ).toEqual(new Set(['round 1: 4 s']));
    const candidate = record.cases.find(({ variant }) => variant === 'candidate')!;
    expect(candidate.reasons.map(({ code }) => code)).toEqual(['no-answer']);
  });
});

describe('a fixed rate beside the other side', () => {
  const metrics = { 'latency-p50': { maxIncrease: { kind: 'ratio' as const, value: 0 } } };
  const ratesIn = (journal: readonly JournalEntry[]) =>
    journal.flatMap((entry) => (entry.kind === 'rate' ? [[entry.solo, entry.duet]] : []));
  const duetRates = (journal: readonly JournalEntry[]) => [
    ...new Set(journal.flatMap((entry) => (entry.kind === 'trial' && entry.mode === 'duet' ? [entry.rate] : []))),
  ];
  const lowered = (log: readonly string[]) =>
    log.filter((line) => /neither side holds|keep the CPUs too busy/.test(line));

  it('is lowered where neither side holds it, until they do and for the rest of the run', async () => {
    const { log, journal, record } = await comparingRun({
      ...{ candidate: k6Spec(), metrics, budgetSeconds: 60 },
      machine: { holds: () => 200 },
    });
    // 300, 225, 169: alone each is still sent 600.
    expect(ratesIn(journal)).toEqual([
      [600, 300],
      [600, 225],
      [600, 169],
    ]);
    expect(lowered(log)).toEqual([
      `say ${K6_CASE}: neither side holds 300/s beside the other; measuring once more`,
      `say ${K6_CASE}: neither side holds 300/s beside the other; going on with 225/s`,
      `say ${K6_CASE}: neither side holds 225/s beside the other; going on with 169/s`,
    ]);
    expect(placesOf(journal, 'round').length).toBeGreaterThan(2);
    // What was not held is not in the journal: its trials tell nothing.
    expect(duetRates(journal)).toEqual([169]);
    expect(record.cases.map(({ duet }) => duet !== null)).toEqual([true, true]);
  });

  it('stays where it is held when it is tried once more, as after a stall of the machine', async () => {
    let asked = 0;
    const { log, journal } = await comparingRun({
      ...{ candidate: k6Spec(), metrics, budgetSeconds: 30 },
      // Both sides, once.
      machine: { holds: () => (asked++ < 2 ? 10 : 1000) },
    });
    expect(ratesIn(journal)).toEqual([[600, 300]]);
    expect(lowered(log)).toEqual([`say ${K6_CASE}: neither side holds 300/s beside the other; measuring once more`]);
    expect(duetRates(journal)).toEqual([300]);
    // What the machine spoilt is not in the journal, nor in the way of a verdict.
    expect(journal.filter((entry) => entry.kind === 'trial' && entry.outcome?.droppedIterations)).toEqual([]);
  });

  it('is lowered to the share of the CPU that was meant where both together use more of it', async () => {
    const { log, journal } = await comparingRun({
      ...{ candidate: k6Spec(), metrics, budgetSeconds: 60 },
      machine: { busyAt: (rate) => rate / 375 },
    });
    // 300/s are 80 % of the CPU, and 225/s are 60 %.
    expect(ratesIn(journal)).toEqual([
      [600, 300],
      [600, 225],
    ]);
    expect(lowered(log)).toEqual([`say ${K6_CASE}: both sides at 300/s keep the CPUs too busy; going on with 225/s`]);
    expect(placesOf(journal, 'round').length).toBeGreaterThan(2);
    expect(duetRates(journal)).toEqual([225]);
  });

  it('stays where one side holds it: that the other does not is what is to be found', async () => {
    const { log, journal } = await comparingRun({
      ...{ candidate: k6Spec(), metrics, budgetSeconds: 30 },
      machine: { holds: (variant) => (variant === 'candidate' ? 200 : 1000) },
    });
    expect(ratesIn(journal)).toEqual([[600, 300]]);
    expect(lowered(log)).toEqual([]);
    expect(duetRates(journal)).toEqual([300]);
  });

  it('is lowered three times for one trial at the most', async () => {
    const { log, journal } = await comparingRun({
      ...{ candidate: k6Spec(), metrics, budgetSeconds: 1 },
      machine: { holds: () => 10 },
    });
    const inDuets = journal.flatMap((entry) => (entry.kind === 'trial' && entry.mode === 'duet' ? [entry.rate] : []));
    // 300 twice, 225, 169 and 127, which stays not held.
    expect(inDuets[0]).toBe(127);
    expect(lowered(log)).toHaveLength((4 * inDuets.length) / 2);
  });

  it('is the lowered one in a run that goes on', async () => {
    const machine = { holds: () => 200 };
    const first = await comparingRun({ candidate: k6Spec(), metrics, budgetSeconds: 20, machine });
    const resumed = first.journal.filter(({ kind }) => kind !== 'end');
    const again = await comparingRun({ candidate: k6Spec(), metrics, budgetSeconds: 60, machine, resumed });
    expect(placesOf(again.journal, 'round').length).toBeGreaterThan(placesOf(first.journal, 'round').length);
    expect(lowered(again.log)).toEqual([]);
    expect(duetRates(again.journal)).toEqual([169]);
  });
});

describe('the order within a round', () => {
  it('is of closed loops that open connections anew, of those that keep them, and of fixed rates: each at random', async () => {
    const spec = smallSpec();
    const load = { ...spec.load, k6: k6Spec().load.k6 };
    load.wrk = { ...load.wrk!, keepAlive: [true, false], connections: [10, 20, 30, 40] };
    const { journal } = await comparingRun({ candidate: { ...spec, load }, limit, budgetSeconds: 1 });
    const trials = journal.flatMap((entry) => (entry.kind === 'trial' && entry.round === 1 ? [entry.caseKey] : []));
    const order = [...new Set(trials)];
    const kindOf = (key: string) => /\/(k6|wrk\/keep-alive(?:-off)?)\//.exec(key)![1];
    expect(order.map(kindOf)).toEqual([
      ...Array(4).fill('wrk/keep-alive-off'),
      ...Array(4).fill('wrk/keep-alive'),
      'k6',
    ]);
    expect(order.slice(0, 4)).not.toEqual(order.slice(0, 4).toSorted());
  });

  it('is of a closed loop of h2load before a fixed rate', async () => {
    const spec = smallSpec();
    const h2load: H2loadLoad = {
      ...{ arrival: { kind: 'max' }, threads: 1, streams: 1, durationSeconds: 1 },
      ...{ connections: [10, 20, 30, 40, 50], keepAlive: [true] },
    };
    const load = { ...spec.load, wrk: null, k6: k6Spec().load.k6, h2load };
    const { journal } = await comparingRun({ candidate: { ...spec, load }, limit, budgetSeconds: 1 });
    const trials = journal.flatMap((entry) => (entry.kind === 'trial' && entry.round === 1 ? [entry.caseKey] : []));
    const generatorsInOrder = [...new Set(trials)].map((key) => key.split('/')[3]);
    expect(generatorsInOrder).toEqual([...Array(5).fill('h2load'), 'k6']);
  });
});

describe('one round and the next', () => {
  it('overlap in containers: the one before is removed when the next is up, and nothing is measured before it is gone', async () => {
    const { log } = await comparingRun({ limit, budgetSeconds: 20, machine: { runtime: 'docker' } });
    const lines = log.map((line) => line.replace(/ (baseline|candidate)/, ''));
    const first = lines.indexOf('halt 0');
    const course = lines.slice(first, lines.indexOf('wrk ping for 0.5 s', first));
    expect(course.filter((line) => /^(start|halt|stop|down) /.test(line))).toEqual([
      ...['halt 0', 'halt 0', 'start 1', 'start 1'],
      ...['stop 0', 'stop 0', 'down 0', 'down 0'],
    ]);
    expect(course).toContain('ask ping');
  });

  it('follow one another as processes, which may want the same port', async () => {
    const { log } = await comparingRun({ limit, budgetSeconds: 20, machine: { runtime: 'process' } });
    const lines = upAndDown(log).map((line) => line.replace(/ (baseline|candidate)/, ''));
    const stop = lines.indexOf('stop 0');
    expect(lines.slice(stop, stop + 6)).toEqual(['stop 0', 'stop 0', 'down 0', 'down 0', 'start 1', 'start 1']);
  });

  describe.each(['docker', 'process'] as const)('leave nothing behind in %s', (runtime) => {
    const left = (log: readonly string[]) => {
      const of = (verb: string) =>
        log.filter((line) => line.startsWith(`${verb} `)).map((line) => line.slice(verb.length));
      return { started: of('start').sort(), down: of('down').sort() };
    };

    it('at the end', async () => {
      const { started, down } = left((await comparingRun({ limit, budgetSeconds: 30, machine: { runtime } })).log);
      expect(started.length).toBeGreaterThan(4);
      expect(down).toEqual(started);
    });

    it.each(['trial', 'round', 'service'] as const)('where the run is aborted, at a %s', async (kind) => {
      const abort = new AbortController();
      const onAppend = (entry: JournalEntry) => {
        const isSecond = 'round' in entry ? entry.round === 2 : abortAt(entry);
        if (entry.kind === kind && isSecond) abort.abort(new Error('stopped by SIGINT'));
      };
      let services = 0;
      const abortAt = ({ kind: each }: JournalEntry) => each === 'service' && ++services === 6;
      const { record, log } = await comparingRun({ limit, machine: { runtime, onAppend }, signal: abort.signal });
      expect(record.interrupted?.message).toBe('stopped by SIGINT');
      const { started, down } = left(log);
      expect(started).toContain(' candidate 2');
      expect(down).toEqual(started);
    });

    it.each(['baseline', 'candidate'])('where the %s does not start any more', async (variant) => {
      const failed: string[] = [];
      const start = (request: TestbedRequest) => {
        if (request.variant !== variant || request.round < 2) return null;
        failed.push(` ${request.variant} ${request.round}`);
        return new TestbedError('not-ready', 'It answers 503.');
      };
      const { log } = await comparingRun({ limit, machine: { runtime, start } });
      const { started, down } = left(log);
      expect(failed).toHaveLength(4);
      expect([...down, ...failed].sort()).toEqual(started);
    });
  });
});
