import { PUBLISHING_ROUND } from '../measurement/names.ts';
import type { Sample } from './run-record.ts';

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
