import type { Case } from '../../core/plan/case.ts';
import type { WarmUp } from '../../core/spec/resolved.ts';
import type { GeneratorRunRequest } from '../ports.ts';
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
  const windowSeconds = load.kind === 'auto' ? load.windowSeconds : Math.max(1, Math.round(load.seconds));
  const most = load.kind === 'auto' ? Math.max(2, Math.floor(load.maxSeconds / windowSeconds)) : 1;
  if (load.kind === 'fixed' && load.seconds === 0) return { seconds: 0, steady: true, capacity: null };

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

/** The same request, keep-alive and connections, driven by wrk. */
function closedLoop(testCase: Case, durationSeconds: number): Case {
  const { load } = testCase;
  const threads = load.generator === 'wrk' ? load.threads : 1;
  const timeoutSeconds = load.timeoutSeconds;
  return { ...testCase, generator: 'wrk', load: { generator: 'wrk', threads, durationSeconds, timeoutSeconds } };
}
