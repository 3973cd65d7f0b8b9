/**
 * Which level to try next, and what the tries so far say. Pure functions of the votes, so that a search that was interrupted goes on
 * from those that were written down.
 *
 *     from ─ held ─ held ─ HELD ─ ? ─ FAILED ─ failed ─ to        both ends by two of three, everything else by one
 */

export interface Vote {
  level: number;
  held: boolean;
  /** No other try can say otherwise: the machine cannot load this level at all. */
  isFinal?: boolean;
}

/** Of a level, as many as agree settle it. */
const ENOUGH = 2;
/** Roundness of a level, in parts of the distance to the next. */
const ROUNDING = 5;

/**
 * Levels from lowest to highest, neighbours about `precision` (of 1) apart, in round numbers and in multiples of `step`, which is
 * what a generator's threads share out evenly. The two ends are as they are given.
 */
export function levelsOf({ from, to, precision }: { from: number; to: number; precision: number }, step = 1): number[] {
  const count = Math.max(1, Math.ceil(Math.log(to / from) / Math.log(1 + precision)));
  const inner = Array.from({ length: count - 1 }, (_, at) =>
    rounded(from * (to / from) ** ((at + 1) / count), precision, step),
  );
  const between = inner.filter((level) => level > from && level < to);
  return [...new Set([from, ...between, to])];
}

function rounded(level: number, precision: number, step: number): number {
  const finest = (level * precision) / ROUNDING / step;
  const unit = step * 10 ** Math.max(0, Math.floor(Math.log10(finest)));
  // Few connections are driven by as many threads, and need no sharing out.
  return level < unit * 2 ? Math.round(level) : Math.round(level / unit) * unit;
}

/** The level to try next; null where the search is at its end. */
export function nextLevel(levels: readonly number[], votes: readonly Vote[]): number | null {
  if (votes.length >= mostProbes(levels)) return null;
  const tallies = levels.map((level) => tallyOf(level, votes));
  const tied = tallies.findIndex(({ held, failed }) => held > 0 && held === failed);
  if (tied >= 0) return levels[tied]!;
  const highestHeld = tallies.findLastIndex(isHeld);
  const lowestFailed = tallies.findIndex(isFailed);
  const end = lowestFailed < 0 ? levels.length : lowestFailed;
  if (end - highestHeld > 1) return levels[(end + highestHeld) >> 1]!;
  // Of two ends that contradict each other, and of two that do not, each is to be more than a throw of the dice.
  const unsettled = [end, highestHeld].find((at) => tallies[at] !== undefined && !isSettled(tallies[at]));
  return unsettled === undefined ? null : levels[unsettled]!;
}

/** What a search without a single chance result takes. */
export function usualProbes(levels: readonly number[]): number {
  return Math.ceil(Math.log2(levels.length + 1)) + 2 * (ENOUGH - 1);
}

/** No search takes more: one that chance has led astray so often has an interval that says so. */
export function mostProbes(levels: readonly number[]): number {
  return 2 * Math.ceil(Math.log2(levels.length + 1)) + 3 * ENOUGH;
}

/** `held` is null where no level was found to hold, `failed` where none was found to fail. */
export interface Bracket {
  held: number | null;
  failed: number | null;
  /** A higher level held and a lower one did not: what lies between both is part of the interval. */
  isContradictory: boolean;
}

/** Between which levels the limit lies, by those levels alone that enough tries agree on. */
export function bracketOf(levels: readonly number[], votes: readonly Vote[]): Bracket {
  const settled = levels
    .map((level) => ({ level, tally: tallyOf(level, votes) }))
    .filter(({ tally }) => isSettled(tally));
  const held = settled.filter(({ tally }) => isHeld(tally)).map(({ level }) => level);
  const failed = settled.filter(({ tally }) => isFailed(tally)).map(({ level }) => level);
  const [highest, lowest] = [held.at(-1) ?? null, failed[0] ?? null];
  if (highest === null || lowest === null || highest < lowest) {
    return { held: highest, failed: lowest, isContradictory: false };
  }
  return {
    held: held.findLast((level) => level < lowest) ?? null,
    failed: failed.find((level) => level > highest) ?? null,
    isContradictory: true,
  };
}

interface Tally {
  held: number;
  failed: number;
}

function tallyOf(level: number, votes: readonly Vote[]): Tally {
  const own = votes.filter((vote) => vote.level === level);
  const weight = (wanted: boolean) =>
    own.filter(({ held }) => held === wanted).reduce((sum, { isFinal }) => sum + (isFinal === true ? ENOUGH : 1), 0);
  return { held: weight(true), failed: weight(false) };
}

const isHeld = ({ held, failed }: Tally) => held > failed;
const isFailed = ({ held, failed }: Tally) => failed > held;
const isSettled = ({ held, failed }: Tally) => held !== failed && Math.max(held, failed) >= ENOUGH;
