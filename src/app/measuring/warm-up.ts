import type { Case } from '../../core/config/case.ts';
import type { WarmUp } from '../../core/config/resolved.ts';
import { warmUpLoad } from '../../core/generators/registry.ts';
import { mean } from '../../core/statistics/moderated-variance.ts';
import type { GeneratorRunRequest } from '../ports/generators.ts';
import type { MeasuringAdapters } from './adapters.ts';

export interface WarmedUp {
  /** Seconds of load. */
  seconds: number;
  /** The last window answered no more than those before it, or nobody asked that. */
  steady: boolean;
  /** Requests per second of a closed loop in its two best windows: the capacity that a share is taken of. Null if unknown. */
  capacity: number | null;
}

/**
 * Loads the case until its throughput is steady. wrk does it for every generator, where it can ask the service: it is the one that costs least, and
 * what it reaches in its best windows is the capacity that an open model's rate is a share of.
 */
export async function warmUp(
  testCase: Case,
  load: WarmUp,
  target: Pick<GeneratorRunRequest, 'origin' | 'cpus' | 'onTick'>,
  { clock, generators }: MeasuringAdapters,
  signal: AbortSignal,
): Promise<WarmedUp> {
  const { windowSeconds, most } = windowsOf(load);
  if (most === 0) return { seconds: 0, steady: true, capacity: null };

  const startedNs = clock.monotonicNs();
  const windows: number[] = [];
  let steady = load.kind === 'fixed';
  while (windows.length < most) {
    const run = await generators.run(
      { ...target, case: closedLoop(testCase, windowSeconds), durationSeconds: windowSeconds, rate: null },
      signal,
    );
    const throughput = run.outcome?.throughput;
    // Nobody answers: no use in going on, and the trial will say why.
    if (throughput === undefined || throughput === 0) break;
    windows.push(throughput);
    if (load.kind === 'auto' && noLongerRises(windows, load.tolerance, LEAST_WINDOWS)) {
      steady = true;
      break;
    }
  }
  return {
    seconds: (clock.monotonicNs() - startedNs) / 1e9,
    steady,
    capacity: reachedIn(windows),
  };
}

/**
 * Warming up is over when a window answers no more than the best one before it did, but for the tolerance. That two of them agree is
 * not asked for: on a machine that others use they seldom do, however warm the server is.
 */
function noLongerRises(windows: readonly number[], tolerance: number, least: number): boolean {
  if (windows.length < least) return false;
  return windows.at(-1)! <= (1 + tolerance) * Math.max(...windows.slice(0, -1));
}

/**
 * Warming up ends with a window that answers no more than those before it, which may as well be one that the machine took from the service:
 * by the last window, a service was once sent a quarter of the share that the report told of.
 */
function reachedIn(windows: readonly number[]): number | null {
  const best = windows.toSorted((one, other) => other - one).slice(0, 2);
  return best.length === 0 ? null : mean(best);
}

const LEAST_WINDOWS = 2;
/** What compiles while it runs has not come far in a second; an endpoint that is asked again in another way has. */
const LEAST_WINDOWS_TOGETHER = { first: 4, again: 2 } as const;
/** Of both sides together: so many windows that an endpoint's warm-up can be told to the half second. */
const WINDOW_TOGETHER_SECONDS = 0.5;
/** Of the best window: an endpoint that answers so much is as good as warm. */
const AS_GOOD_AS_WARM = 0.95;

export interface WarmedUpTogether extends WarmedUp {
  /** Until it was as good as warm: what later rounds take for the same, if they have so much. */
  neededSeconds: number;
}

/**
 * Loads both sides at the same time, so many seconds where an earlier round has learnt it, else until what they answer together no
 * longer rises: the first time, or again, in another way of opening connections. What was warmed up by itself is not enough: two
 * programs on one CPU take its caches from each other.
 */
export async function warmUpTogether(
  sides: readonly [WarmUpTarget, WarmUpTarget],
  load: WarmUp,
  known: number | 'first' | 'again',
  { clock, generators }: MeasuringAdapters,
  signal: AbortSignal,
): Promise<WarmedUpTogether> {
  const startedNs = clock.monotonicNs();
  const isAuto = load.kind === 'auto';
  const knownSeconds = typeof known === 'number' ? known : null;
  const leastWindows = known === 'again' ? LEAST_WINDOWS_TOGETHER.again : LEAST_WINDOWS_TOGETHER.first;
  const windowSeconds = isAuto ? (knownSeconds ?? WINDOW_TOGETHER_SECONDS) : load.seconds;
  const most = !isAuto
    ? load.seconds === 0
      ? 0
      : 1
    : knownSeconds !== null
      ? 1
      : Math.floor(load.maxSeconds / windowSeconds);
  const windows: number[] = [];
  let steady = !isAuto || knownSeconds !== null;
  while (windows.length < most) {
    const request = ({ case: testCase, ...target }: WarmUpTarget) => ({
      ...target,
      case: closedLoop(testCase, windowSeconds),
      durationSeconds: windowSeconds,
      rate: null,
    });
    const runs = await generators.runTogether([request(sides[0]), request(sides[1])], signal);
    const each = runs.map(({ outcome }) => outcome?.throughput ?? 0);
    // Nobody answers: no use in going on, and the trial will say why.
    if (each.includes(0)) break;
    windows.push(each[0]! + each[1]!);
    if (isAuto && knownSeconds === null && noLongerRises(windows, load.tolerance, leastWindows)) {
      steady = true;
      break;
    }
  }
  const best = Math.max(0, ...windows);
  const warmAt = windows.findIndex((answered) => answered >= AS_GOOD_AS_WARM * best) + 1;
  const neededSeconds = Math.max(1, warmAt) * WINDOW_TOGETHER_SECONDS;
  return {
    seconds: (clock.monotonicNs() - startedNs) / 1e9,
    steady,
    capacity: reachedIn(windows),
    neededSeconds: knownSeconds ?? neededSeconds,
  };
}

export type WarmUpTarget = Pick<GeneratorRunRequest, 'case' | 'origin' | 'cpus'>;

function windowsOf(load: WarmUp): { windowSeconds: number; most: number } {
  if (load.kind === 'auto') {
    return { windowSeconds: load.windowSeconds, most: Math.max(2, Math.floor(load.maxSeconds / load.windowSeconds)) };
  }
  return { windowSeconds: load.seconds, most: load.seconds === 0 ? 0 : 1 };
}

/** The case as it is warmed up. */
function closedLoop(testCase: Case, durationSeconds: number): Case {
  const load = warmUpLoad(testCase.load, testCase.service.protocol, durationSeconds);
  return { ...testCase, generator: load.generator, load };
}
