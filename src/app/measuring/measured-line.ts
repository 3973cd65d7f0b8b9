import { throughput } from '../../core/metrics/throughput.ts';
import type { Case } from '../../core/plan/case.ts';
import type { SliceMeasurement } from '../../core/record/measurement.ts';
import type { Reason } from '../../core/record/run-record.ts';
import { latency as latencyText, throughput as perSecondText } from '../../core/report/figures.ts';

/** `go/ping/direct/wrk/keep-alive/100   79,312/s  p50 0.61 ms  p99 1.94 ms`, or what made it invalid. */
export function measuredLine(slice: SliceMeasurement, testCase: Case, reasons: Reason[]): string {
  const perSecond = throughput.ofSlice?.(slice) ?? null;
  const latency = slice.outcome?.latencyMs;
  const figures = [
    perSecond === null ? null : `${perSecondText(perSecond)}/s`,
    latency?.p50 === undefined ? null : `p50 ${latencyText(latency.p50)}`,
    latency?.p99 === undefined ? null : `p99 ${latencyText(latency.p99)}`,
  ].filter((text) => text !== null);
  const invalid = reasons.length === 0 ? '' : `  invalid: ${reasons.map(({ code }) => code).join(', ')}`;
  return `${testCase.key}  ${figures.join('  ')}${invalid}`;
}
