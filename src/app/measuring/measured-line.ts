import type { Case } from '../../core/config/case.ts';
import { latency as latencyText, throughput as perSecondText } from '../../core/format/figures.ts';
import type { TrialMeasurement } from '../../core/measurement/measurement.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { throughput } from '../../core/metrics/throughput.ts';

/** `go/ping/direct/wrk/keep-alive/100   79,312/s  p50 0.61 ms  p99 1.94 ms`, or what made it invalid. */
export function measuredLine(trial: TrialMeasurement, testCase: Case, reasons: Reason[]): string {
  const perSecond = throughput.ofTrial?.(trial) ?? null;
  const latency = trial.outcome?.latencyMs;
  const figures = [
    perSecond === null ? null : `${perSecondText(perSecond)}/s`,
    latency?.p50 === undefined ? null : `p50 ${latencyText(latency.p50)}`,
    latency?.p99 === undefined ? null : `p99 ${latencyText(latency.p99)}`,
  ].filter((text) => text !== null);
  const invalid = reasons.length === 0 ? '' : `  invalid: ${reasons.map(({ code }) => code).join(', ')}`;
  return `${testCase.key}  ${figures.join('  ')}${invalid}`;
}
