import type { Case } from '../../core/config/case.ts';
import type { WarmUp } from '../../core/config/resolved.ts';
import { warmUpLoad } from '../../core/generators/registry.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../ports/generators.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { answeredLeftOver } from './answers-again.ts';
import { type Answered, windowsOf } from './warm-up-windows.ts';

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
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<WarmedUp> {
  const { clock, generators } = adapters;
  const startedNs = clock.monotonicNs();
  const windows = windowsOf(load, SOLO);
  let rested = 0;
  while (windows.nextSeconds !== null) {
    const durationSeconds = windows.nextSeconds;
    const run = await generators.run(
      { ...target, case: closedLoop(testCase, durationSeconds), durationSeconds, rate: null },
      signal,
    );
    windows.add([answeredIn(run, durationSeconds)]);
    rested += await rest(windows.restSeconds(testCase.connections), clock, signal);
  }
  const seconds = (clock.monotonicNs() - startedNs) / 1e9 - rested;
  if (seconds > 0) await answeredLeftOver(target.origin, testCase, windows.capacity ?? 0, adapters, signal);
  return { seconds, steady: windows.isSteady, capacity: windows.capacity };
}

/** What compiles while it runs has not come far in a second; an endpoint that is asked again in another way has. */
const SOLO = { leastWindows: 2, leastSeconds: 0 };
const TOGETHER = { first: { leastWindows: 2, leastSeconds: 2 }, again: { leastWindows: 2, leastSeconds: 1 } } as const;
/** Of both sides together: so short a window that an endpoint's warm-up can be told to the half second. */
const WINDOW_TOGETHER_SECONDS = 0.5;

export interface WarmedUpTogether extends WarmedUp {
  /** Until it was as good as warm: what later rounds take for the same, if they have so much. */
  neededSeconds: number;
  /** Requests per second of each side in its best windows, in the order of the sides. Null as `capacity`. */
  ofEach: readonly [number, number] | null;
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
  const isKnown = load.kind === 'auto' && typeof known === 'number';
  const windows = windowsOf(
    isKnown
      ? { kind: 'fixed', seconds: known }
      : load.kind === 'auto'
        ? { ...load, windowSeconds: WINDOW_TOGETHER_SECONDS }
        : load,
    TOGETHER[known === 'again' ? 'again' : 'first'],
  );
  let rested = 0;
  while (windows.nextSeconds !== null) {
    const durationSeconds = windows.nextSeconds;
    const request = ({ case: testCase, ...target }: WarmUpTarget) => ({
      ...target,
      case: closedLoop(testCase, durationSeconds),
      durationSeconds,
      rate: null,
    });
    const runs = await generators.runTogether([request(sides[0]), request(sides[1])], signal);
    windows.add(runs.map((run) => answeredIn(run, durationSeconds)));
    rested += await rest(windows.restSeconds(sides[0].case.connections), clock, signal);
  }
  const [first, second] = windows.ofEach ?? [];
  return {
    seconds: (clock.monotonicNs() - startedNs) / 1e9 - rested,
    steady: windows.isSteady,
    capacity: windows.capacity,
    neededSeconds: isKnown ? known : Math.max(WINDOW_TOGETHER_SECONDS, windows.neededSeconds),
    ofEach: first === undefined || second === undefined ? null : [first, second],
  };
}

export type WarmUpTarget = Pick<GeneratorRunRequest, 'case' | 'origin' | 'cpus'>;

/** Resolves to the seconds that it took, which are no load. */
async function rest(seconds: number, clock: MeasuringAdapters['clock'], signal: AbortSignal): Promise<number> {
  if (seconds > 0) await clock.sleep(seconds, signal);
  return seconds;
}

/** What came back in a window; a test's generator need not count. */
function answeredIn({ outcome }: GeneratorRun, durationSeconds: number): Answered {
  const throughput = outcome?.throughput ?? 0;
  return { throughput, requests: outcome?.requests ?? throughput * durationSeconds };
}

/** The case as it is warmed up. */
function closedLoop(testCase: Case, durationSeconds: number): Case {
  const load = warmUpLoad(testCase.load, testCase.service.protocol, durationSeconds);
  return { ...testCase, generator: load.generator, load };
}
