import { PUBLISHING_ROUND } from '../measurement/names.ts';
import type { MetricRecord, Sample } from './run-record.ts';

type Measured = Pick<Sample, 'round' | 'mode'>;

/** Of trials or samples those solo that a published figure is from: of the round for it, where a run has one. */
export function publishedSolo<M extends Measured>(measured: readonly M[]): M[] {
  const solo = measured.filter(({ mode }) => mode === 'solo');
  // Those of other rounds were compared in turn: as short as a duet, and at half of the rate.
  const own = solo.filter(({ round }) => round === PUBLISHING_ROUND);
  return own.length > 0 ? own : solo;
}

/** What a published figure is the median of; duets where nothing was measured by itself. */
export function published<M extends Measured>(measured: readonly M[]): readonly M[] {
  const solo = publishedSolo(measured);
  return solo.length > 0 ? solo : measured;
}

/** Number of the samples that a figure is the median of, lowest and highest; null where there is none. */
export function spreadOf({ samples, summary }: MetricRecord): NonNullable<MetricRecord['summary']> | null {
  const values = publishedSolo(samples).map(({ value }) => value);
  // A record of the data branch keeps no samples.
  if (values.length === 0) return summary ?? null;
  return { samples: values.length, low: Math.min(...values), high: Math.max(...values) };
}
