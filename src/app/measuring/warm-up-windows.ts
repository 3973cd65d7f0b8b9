import type { WarmUp } from '../../core/config/resolved.ts';
import { mean } from '../../core/statistics/moderated-variance.ts';
import { leftOverSeconds } from './drained.ts';

/** What a side answered in a window of its warm-up. */
export interface Answered {
  throughput: number;
  requests: number;
}

/** Of all sides together. With fewer, one request more or less is more than a service warms up by. */
const ENOUGH_REQUESTS = 20;
/** Of each of two: a side that is slower by far has answered as well. */
const ENOUGH_OF_A_SIDE = 5;
const LONGEST_WINDOW_SECONDS = 4;
/** Who has answered nobody for so long will not be waited for: the trial will say why. */
const SILENT_SECONDS = 4;
/** Of the best window: a service that answers so much is as good as warm. */
const AS_GOOD_AS_WARM = 0.95;
/** With more requests in a window than that, what chance makes of their number is less than what a machine does. */
const MANY_REQUESTS = 400;

interface Window {
  seconds: number;
  /** Since the beginning. */
  endSeconds: number;
  answered: readonly Answered[];
}

/** How much is the least: in windows that hold enough requests, and in their seconds. */
interface Least {
  leastWindows: number;
  leastSeconds: number;
}

/**
 * The windows of a warm-up, one after the other, until it is over. A service that answers few requests a second has longer ones: each
 * that held too few is not judged, and the next is twice as long.
 */
export function windowsOf(load: WarmUp, least: Least) {
  const isAuto = load.kind === 'auto';
  const judged: Window[] = [];
  let seconds = isAuto ? load.windowSeconds : load.seconds;
  let spent = 0;
  let isOver = seconds === 0;
  let isSteady = !isAuto;
  let last: { seconds: number; answered: readonly Answered[] } | null = null;
  return {
    /** Null where it is over. */
    get nextSeconds(): number | null {
      return isOver ? null : seconds;
    },
    add(answered: readonly Answered[]): void {
      spent += seconds;
      last = { seconds, answered };
      const isSilent = answered.some(({ requests }) => requests === 0);
      if (isSilent && (!isAuto || seconds >= SILENT_SECONDS)) {
        isOver = true;
        return;
      }
      const isJudged = !isAuto || holdsEnough(answered) || (!isSilent && seconds >= LONGEST_WINDOW_SECONDS);
      if (isJudged) judged.push({ seconds, endSeconds: spent, answered });
      else seconds = Math.min(LONGEST_WINDOW_SECONDS, 2 * seconds);
      if (isAuto) isSteady = isJudged && isEnough(judged, least) && noLongerRises(judged, load.tolerance);
      isOver = isSteady || !isAuto || spent + seconds > load.maxSeconds;
    },
    /** What it takes to answer what the last window has left over, as far as that would take the next one from a service. */
    restSeconds(connections: number): number {
      if (last === null) return 0;
      return leftOverSeconds(connections, Math.min(...last.answered.map(({ throughput }) => throughput)), last.seconds);
    },
    /** The last window answered no more than those before it, or nobody asked that. */
    get isSteady(): boolean {
      return isSteady;
    },
    get capacity(): number | null {
      return reachedIn(judged.map(throughputOf));
    },
    /** Of each side, in their order. */
    get ofEach(): (number | undefined)[] | null {
      const [first] = judged;
      return (
        first?.answered.map((_, side) => reachedIn(judged.map((each) => each.answered[side]!.throughput))!) ?? null
      );
    },
    /** Until it was as good as warm. */
    get neededSeconds(): number {
      const best = Math.max(0, ...judged.map(throughputOf));
      return judged.find((each) => throughputOf(each) >= AS_GOOD_AS_WARM * best)?.endSeconds ?? 0;
    },
  };
}

function holdsEnough(answered: readonly Answered[]): boolean {
  const each = answered.map(({ requests }) => requests);
  return sum(each) >= ENOUGH_REQUESTS && (each.length === 1 || Math.min(...each) >= ENOUGH_OF_A_SIDE);
}

function isEnough(judged: readonly Window[], { leastWindows, leastSeconds }: Least): boolean {
  return judged.length >= leastWindows && sum(judged.map(({ seconds }) => seconds)) >= leastSeconds;
}

/**
 * Warming up is over when a window answers no more than the best one before it did, but for the tolerance, and for what chance makes of
 * few requests. That two of them agree is not asked for: on a machine that others use they seldom do, however warm the server is.
 */
function noLongerRises(judged: readonly Window[], tolerance: number): boolean {
  const last = judged.at(-1)!;
  const requests = sum(last.answered.map((each) => each.requests));
  const byChance = requests < MANY_REQUESTS ? 1 / Math.sqrt(Math.max(1, requests)) : 0;
  return throughputOf(last) <= (1 + tolerance + byChance) * Math.max(...judged.slice(0, -1).map(throughputOf));
}

/**
 * Warming up ends with a window that answers no more than those before it, which may as well be one that the machine took from the service:
 * by the last window, a service was once sent a quarter of the share that the report told of.
 */
function reachedIn(throughputs: readonly number[]): number | null {
  const best = throughputs.toSorted((one, other) => other - one).slice(0, 2);
  return best.length === 0 ? null : mean(best);
}

function throughputOf({ answered }: Window): number {
  return sum(answered.map(({ throughput }) => throughput));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
