import { atLeast, atMost, type BenchResult, rounded } from '../../scripts/bench/target.ts';
import { excessGrowth, type PairOfPeaks } from '../../src/core/comparison/growing-memory.ts';
import { DEFAULT_LIMITS } from '../../src/core/config/gate.ts';
import { type Random, seededRandom, shuffled } from '../../src/core/statistics/random.ts';
import type { NoiseLine } from '../noise/noise-line.ts';
import { type NamedRecording, recordingsIn } from './recorded.ts';
import { percent } from './shares.ts';

/** As many as a comparison has that ends by itself. */
const ROUNDS = 8;
const RUNS = 2000;
/** That the candidate keeps of each request, beside what was recorded. */
const LEAKS = { none: 0, limit: 100, leak: 400 };
const MOST_RED = 0.005;
const LEAST_FOUND = 0.9;

/** Whether a leak is found in the recordings' own memory, and nothing where there is none: rounds drawn at random, the sides exchanged at random. */
export function memoryGrowth(noise: string, seed: number, say: (line: string) => void): BenchResult {
  const results = recordingsIn(noise)
    .filter(({ header }) => header.pairing === 'duet')
    .map(({ name, trials }) => ({ name, red: redShares(roundsOf(trials), seededRandom(seed)) }));
  for (const { name, red } of results) {
    say(
      `${name}: memory that grows by 0, 100 and 400 B a request is red in ${Object.values(red).map(percent).join(', ')}`,
    );
  }
  return {
    figures: Object.fromEntries(results.map(({ name, red }) => [`${name}: 400 B a request found`, rounded(red.leak)])),
    targets: results.flatMap(({ name, red }) => [
      atMost(`${name}: memory grows alike, red`, rounded(red.none), MOST_RED),
      atMost(`${name}: memory grows by as much as its limit, red`, rounded(red.limit), MOST_RED),
      atLeast(
        `${name}: 400 B of memory kept of each request, found with ${ROUNDS} rounds`,
        rounded(red.leak),
        LEAST_FOUND,
      ),
    ]),
  };
}

function redShares(rounds: readonly PairOfPeaks[][], random: Random): Record<keyof typeof LEAKS, number> {
  const limit = DEFAULT_LIMITS['memory-growth']!.maxIncrease!;
  const share = (leak: number) => {
    let red = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const drawn = shuffled(rounds, random).slice(0, ROUNDS);
      if (
        excessGrowth(
          drawn.map((pairs) => withLeak(pairs, leak, random)),
          limit,
        ) !== null
      )
        red += 1;
    }
    return red / RUNS;
  };
  return { none: share(LEAKS.none), limit: share(LEAKS.limit), leak: share(LEAKS.leak) };
}

function withLeak(pairs: readonly PairOfPeaks[], leak: number, random: Random): PairOfPeaks[] {
  const isExchanged = random.below(2) === 0;
  let answered = 0;
  return pairs.map(({ startedNs, peaks, requests }) => {
    const [was, is] = isExchanged ? (['candidate', 'baseline'] as const) : (['baseline', 'candidate'] as const);
    answered += requests[is];
    return {
      startedNs,
      peaks: { baseline: peaks[was], candidate: peaks[is] + leak * answered },
      requests: { baseline: requests[was], candidate: requests[is] },
    };
  });
}

/** Of each round its duets, in order of time. */
function roundsOf(trials: NamedRecording['trials']): PairOfPeaks[][] {
  const rounds = new Map<number, Map<string, Partial<Record<NoiseLine['variant'], NoiseLine>>>>();
  for (const trial of trials) {
    if (trial.mode !== 'duet' || !trial.valid || trial.peakBytes === 0) continue;
    const pairs = rounds.get(trial.round) ?? new Map<string, Partial<Record<NoiseLine['variant'], NoiseLine>>>();
    rounds.set(trial.round, pairs);
    const name = `${trial.case} ${trial.pair}`;
    pairs.set(name, { ...pairs.get(name), [trial.variant]: trial });
  }
  return [...rounds.values()].map((pairs) =>
    [...pairs.values()]
      .flatMap(({ baseline, candidate }) =>
        baseline === undefined || candidate === undefined
          ? []
          : {
              startedNs: Math.min(baseline.startedNs, candidate.startedNs),
              peaks: { baseline: baseline.peakBytes, candidate: candidate.peakBytes },
              requests: { baseline: baseline.requests, candidate: candidate.requests },
            },
      )
      .sort((one, other) => one.startedNs - other.startedNs),
  );
}
