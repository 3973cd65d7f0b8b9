import { median } from '../../../src/core/statistics/quantile.ts';
import { changed, ofEach, type Rival, thresholdFactor, worseBy } from './rival.ts';

const LEVEL = 0.05;

/**
 * Both sides' rounds as two unpaired samples, red where the medians differ by more than the threshold and the exact
 * two-sided Mann-Whitney U test has p < 0.05: benchstat (golang.org/x/perf/cmd/benchstat), its default level. benchstat
 * itself knows no threshold.
 */
export const mannWhitney: Rival = {
  name: 'Mann-Whitney',
  source: 'benchstat, alpha 0.05',
  thresholds: true,
  reds: ofEach((observed) => {
    const baseline = observed.today.map((side) => side.baseline);
    const candidate = observed.today.map((side) => changed(side.candidate, observed));
    const worse = worseBy(median(baseline), median(candidate), observed.metric);
    return worse > thresholdFactor(observed) && mannWhitneyP(baseline, candidate) < LEVEL;
  }),
};

/** Exact two-sided p value; ties count as half, which is exact only without them. */
export function mannWhitneyP(one: readonly number[], other: readonly number[]): number {
  let u = 0;
  for (const a of one) for (const b of other) u += a > b ? 1 : a === b ? 0.5 : 0;
  const ways = waysOf(one.length, other.length);
  const total = ways.reduce((sum, each) => sum + each, 0);
  const least = Math.floor(Math.min(u, one.length * other.length - u));
  const tail = ways.slice(0, least + 1).reduce((sum, each) => sum + each, 0) / total;
  return Math.min(1, 2 * tail);
}

const known = new Map<string, number[]>();

/** In how many orders of both samples U is 0, 1, 2, …: the recurrence of Mann and Whitney (1947). */
function waysOf(m: number, n: number): number[] {
  if (m === 0 || n === 0) return [1];
  const name = `${m} ${n}`;
  const found = known.get(name);
  if (found !== undefined) return found;
  const last = waysOf(m - 1, n);
  const first = waysOf(m, n - 1);
  const ways = Array.from({ length: m * n + 1 }, (_, u) => (last[u - n] ?? 0) + (first[u] ?? 0));
  known.set(name, ways);
  return ways;
}
