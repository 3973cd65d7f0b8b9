import type { RunRecord } from '../core/record/run-record.ts';
import { EXIT } from './failure.ts';

/** Exit status of a demo that did not do its work; null where something was measured and it came to its end. */
export function unfinished({ interrupted, cases }: RunRecord, signal: AbortSignal): number | null {
  if (signal.aborted) return EXIT.interrupted;
  if (interrupted !== null) return EXIT.machineLacks;
  return cases.some(({ metrics }) => metrics.throughput !== undefined) ? null : EXIT.nothingMeasured;
}
