import type { LiveResult } from '../../../../research/verdict/live/result.ts';
import { STANDARD_SINCE } from '../../../../research/verdict/live/schedule.ts';

/** A quiet comparison of a server whose request costs 50 us, in which nothing was injected and nothing found. */
export function liveResult(changes: Partial<LiveResult> = {}): LiveResult {
  return {
    kind: 'null-http',
    condition: 'quiet',
    seed: 71,
    finishedAt: STANDARD_SINCE,
    machine: { cpuModel: 'AMD EPYC 7763', kernel: '6.8.0' },
    tool: { version: '0.1.0' },
    injected: { environment: {}, share: null, cpuUs: 0, calibratedUs: null },
    exitStatus: 0,
    seconds: { comparing: 80, load: 60, wall: 95 },
    rounds: 5,
    cpuUs: { baseline: 50, candidate: 50 },
    verdicts: [],
    series: [],
    disturbance: null,
    ...changes,
  };
}

/** As the kind injects 1 us, and this change of CPU time per request was reported and called a regression. */
export function cpuResult(kind: string, change: number, changes: Partial<LiveResult> = {}): LiveResult {
  const verdict = {
    case: 'server/ping/direct/wrk/keep-alive/100',
    metric: 'cpu-per-request',
    verdict: 'regression',
    change,
    interval: null,
    adjusted: null,
    mode: 'duet',
  } as const;
  const injected = { environment: { BURN_US: '41.000' }, share: 0.02, cpuUs: 1, calibratedUs: 50 };
  return liveResult({ kind, injected, verdicts: [verdict], ...changes });
}

/** The same result so many times. */
export function times(count: number, result: LiveResult): LiveResult[] {
  return Array.from({ length: count }, () => result);
}
