import { spreadOf } from '../../record/published.ts';
import type { CaseRecord } from '../../record/run-record.ts';

/** What past runs gave for a metric of a case; null where nothing is known. */
export type PastFigures = (caseKey: string, metric: string) => readonly number[];

export const noPast: PastFigures = () => [];

/** From the lowest to the highest figure, and of what. */
export interface Ranges {
  /** `trials` of this run, or figures of past `runs` on the same machine; null where there are none of either. */
  of: 'trials' | 'runs' | null;
  /** The fewest and the most figures that a range is from. */
  counts: [number, number];
  range(record: CaseRecord, metric: string): [number, number] | null;
}

const LEAST_TRIALS = 2;
/** Past runs below which their scatter says nothing. */
const LEAST_RUNS = 3;

/** One kind for all that stand in a picture: trials of the run where it has several of any, else past runs. */
export function rangesOf(cases: readonly CaseRecord[], metrics: readonly string[], past: PastFigures): Ranges {
  const ofTrials: Found = (record, metric) => {
    const own = Object.hasOwn(record.metrics, metric) ? record.metrics[metric] : undefined;
    const spread = own === undefined ? null : spreadOf(own);
    if (spread === null || spread.samples < LEAST_TRIALS) return null;
    return { count: spread.samples, range: [spread.low, spread.high] };
  };
  const ofRuns: Found = (record, metric) => {
    const values = past(record.key, metric);
    if (values.length < LEAST_RUNS) return null;
    return { count: values.length, range: [Math.min(...values), Math.max(...values)] };
  };
  const counts = (found: Found) =>
    cases.flatMap((record) => metrics.flatMap((metric) => found(record, metric)?.count ?? []));
  for (const [of, found] of [
    ['trials', ofTrials],
    ['runs', ofRuns],
  ] as const) {
    const own = counts(found);
    if (own.length === 0) continue;
    const range: Ranges['range'] = (record, metric) => found(record, metric)?.range ?? null;
    return { of, counts: [Math.min(...own), Math.max(...own)], range };
  }
  return { of: null, counts: [0, 0], range: () => null };
}

type Found = (record: CaseRecord, metric: string) => { count: number; range: [number, number] } | null;

/** What the thin line over a bar is; null where there is none. */
export function rangesSaid({ of, counts: [least, most] }: Ranges): string | null {
  const number = least === most ? String(most) : `${least} to ${most}`;
  if (of === 'trials') return `Thin lines: lowest to highest of ${number} trials in this run.`;
  if (of === 'runs') {
    return `Thin lines: lowest to highest of this and earlier runs on the same CPU model, ${number} runs. They show scatter between runs, and changes of the services too; they are not confidence intervals.`;
  }
  return null;
}
