import type { PlaceOfRun } from './usual-case.ts';
import type { RunEntry } from './view.ts';

/** Whether a run has a figure of anything: one that found both sides to be the same has none. */
export function hasFigures({ piece, place }: PlaceOfRun): boolean {
  return Object.values(piece.series).some(({ value }) => (value[place] ?? null) !== null);
}

/** Whether a run says how the spec stands: it has figures, or it failed without any. */
export function hasResult(run: PlaceOfRun & Pick<RunEntry, 'passed'>): boolean {
  return run.passed === false || hasFigures(run);
}
