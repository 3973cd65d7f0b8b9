import { readFileSync } from 'node:fs';
import { atLeast, atMost, type BenchResult, rounded } from '../../scripts/bench/target.ts';
import { changePointsOf } from '../../src/core/statistics/change-points.ts';
import { percent } from './shares.ts';

const HISTORY = 'research/recordings/histories/fastify-benchmarks.jsonl';
/** Runs that a series has before anything is injected or counted. */
const LEAD = 25;
/** Within so many runs, the first of the new level included, a step must be found. */
const WITHIN = 9;
/** A step begins at each third run: those between them tell the same. */
const EVERY = 3;

/** Change points of public histories of servers that did not change, as they are and with steps in them. */
export function longSeries(say: (line: string) => void): BenchResult {
  const series = readFileSync(HISTORY, 'utf8')
    .trim()
    .split('\n')
    .map((line): number[] => JSON.parse(line).ln);
  const shown = series.map(shownAt);
  const runs = series.reduce((sum, { length }) => sum + length - LEAD + 1, 0);
  const alarms = shown.reduce((sum, { length }) => sum + length, 0) / runs;
  const [ten, twenty] = [foundShare(series, 0.1), foundShare(series, 0.2)];
  say(
    `${series.length} public series of ${runs} runs: a change point in ${percent(alarms)} of them, steps of 10 and 20 % found within ${WITHIN} runs in ${percent(ten)} and ${percent(twenty)}`,
  );
  return {
    figures: {},
    targets: [
      atMost('public history: runs with a change point where nothing changed', rounded(alarms), 0.003),
      atLeast(`public history: a step of 10 %, found within ${WITHIN} runs`, rounded(ten), 0.5),
      atLeast(`public history: a step of 20 %, found within ${WITHIN} runs`, rounded(twenty), 0.8),
    ],
  };
}

function foundShare(series: readonly number[][], step: number): number {
  let [found, all] = [0, 0];
  for (const values of series) {
    for (let at = LEAD; at + WITHIN <= values.length; at += EVERY) {
      const until = values.slice(0, at + WITHIN);
      const alone = new Set(shownAt(until));
      const stepped = until.map((value, index) => (index < at ? value : value + Math.log(1 - step)));
      all += 1;
      if (shownAt(stepped).some((index) => index >= at && !alone.has(index))) found += 1;
    }
  }
  return found / all;
}

/** Indices of the values that first showed a change point, of those after the lead. */
function shownAt(values: readonly number[]): number[] {
  let known = 0;
  return values.flatMap((_, index) => {
    const points = changePointsOf(values.slice(0, index + 1)).length;
    const isNew = points > known;
    known = points;
    return isNew && index >= LEAD - 1 ? [index] : [];
  });
}
