import type { Case } from '../../core/plan/case.ts';
import type { WarmUp } from '../../core/spec/resolved.ts';
import type { GeneratorRunRequest } from '../ports/generators.ts';
import type { MeasuringAdapters } from './adapters.ts';

export interface WarmedUp {
  /** Seconds of load. */
  seconds: number;
  /** The last two windows agreed, or nobody asked them to. */
  steady: boolean;
  /** Requests per second of a closed loop in the last windows: the capacity that a share is taken of. Null if unknown. */
  capacity: number | null;
}

/**
 * Loads the case until its throughput is steady. wrk does it for every generator: it is the one that costs least, and
 * what it reaches in the last windows is the capacity that an open model's rate is a share of.
 */
export async function warmUp(
  testCase: Case,
  load: WarmUp,
  target: Pick<GeneratorRunRequest, 'origin' | 'cpus'>,
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
    // Nobody answers: no use in going on, and the slice will say why.
    if (throughput === undefined || throughput === 0) break;
    windows.push(throughput);
    if (load.kind === 'auto' && agree(windows, load.tolerance)) {
      steady = true;
      break;
    }
  }
  const last = windows.slice(-2);
  return {
    seconds: (clock.monotonicNs() - startedNs) / 1e9,
    steady,
    capacity: last.length === 0 ? null : last.reduce((sum, value) => sum + value, 0) / last.length,
  };
}

function agree(windows: number[], tolerance: number): boolean {
  const [earlier, later] = windows.slice(-2);
  return earlier !== undefined && later !== undefined && Math.abs(later / earlier - 1) <= tolerance;
}

/** Of what the best window before it answered: a window that answers no more than this tells that warming up is over. */
const STILL_RISING = 1.02;
/** Fewer tell little, and what compiles while it runs has not come far in 2 s. */
const LEAST_WINDOWS_TOGETHER = 3;

/**
 * Loads both sides at the same time until what they answer together no longer rises. What was warmed up alone is not enough:
 * two programs on one CPU take its caches from each other. That it stays the same is not asked for: on a machine that
 * others use it does not, however warm both are, and 15 s for each endpoint went into waiting for it.
 */
export async function warmUpTogether(
  sides: readonly [WarmUpTarget, WarmUpTarget],
  load: WarmUp,
  { clock, generators }: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Omit<WarmedUp, 'capacity'>> {
  const startedNs = clock.monotonicNs();
  const { windowSeconds, most } = windowsOf(load);
  const windows: number[] = [];
  let steady = load.kind === 'fixed';
  while (windows.length < most) {
    const request = ({ case: testCase, ...target }: WarmUpTarget) => ({
      ...target,
      case: closedLoop(testCase, windowSeconds),
      durationSeconds: windowSeconds,
      rate: null,
    });
    const runs = await generators.runTogether([request(sides[0]), request(sides[1])], signal);
    const each = runs.map(({ outcome }) => outcome?.throughput ?? 0);
    if (each.includes(0)) break;
    const answered = each[0]! + each[1]!;
    const best = Math.max(...windows);
    windows.push(answered);
    if (load.kind === 'auto' && windows.length >= LEAST_WINDOWS_TOGETHER && answered <= STILL_RISING * best) {
      steady = true;
      break;
    }
  }
  return { seconds: (clock.monotonicNs() - startedNs) / 1e9, steady };
}

export type WarmUpTarget = Pick<GeneratorRunRequest, 'case' | 'origin' | 'cpus'>;

function windowsOf(load: WarmUp): { windowSeconds: number; most: number } {
  if (load.kind === 'auto') {
    return { windowSeconds: load.windowSeconds, most: Math.max(2, Math.floor(load.maxSeconds / load.windowSeconds)) };
  }
  return { windowSeconds: Math.max(1, Math.round(load.seconds)), most: load.seconds === 0 ? 0 : 1 };
}

/** The same request, keep-alive and connections, driven by wrk. */
function closedLoop(testCase: Case, durationSeconds: number): Case {
  const { load } = testCase;
  const threads = load.generator === 'wrk' ? load.threads : 1;
  const timeoutSeconds = load.timeoutSeconds;
  return { ...testCase, generator: 'wrk', load: { generator: 'wrk', threads, durationSeconds, timeoutSeconds } };
}
