import { PUBLISHING_INSTANCE } from '../plan/duets.ts';
import type { Sample } from './run-record.ts';

type Measured = Pick<Sample, 'instance' | 'mode'>;

/** Of slices or samples those alone that a published figure is from: of the instance for it, where a run has one. */
export function publishedAlone<M extends Measured>(measured: readonly M[]): M[] {
  const alone = measured.filter(({ mode }) => mode === 'alone');
  // Those of other instances were compared in turn: as short as a duet, and at half of the rate.
  const own = alone.filter(({ instance }) => instance === PUBLISHING_INSTANCE);
  return own.length > 0 ? own : alone;
}

/** What a published figure is the median of; duets where nothing was measured alone. */
export function published<M extends Measured>(measured: readonly M[]): readonly M[] {
  const alone = publishedAlone(measured);
  return alone.length > 0 ? alone : measured;
}
