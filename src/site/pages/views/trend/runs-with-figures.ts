import type { RunEntry } from '../../view.ts';
import type { Question } from './question.ts';

/**
 * The runs that have a figure or a change of what is asked for: what the axis has a place for. Others, such as those of an imported
 * history beside measured ones, would leave it empty. All of them where none has any.
 */
export function runsWithFigures(
  all: readonly RunEntry[],
  { metric, cases }: Pick<Question, 'metric' | 'cases'>,
): readonly RunEntry[] {
  const keys = cases.map((place) => `${place}.${metric}`);
  const hasAny = ({ piece, place }: RunEntry) =>
    keys.some((key) => {
      const series = Object.hasOwn(piece.series, key) ? piece.series[key]! : null;
      return (series?.value[place] ?? series?.changeBp?.[place] ?? null) !== null;
    });
  const found = all.filter(hasAny);
  return found.length === 0 ? all : found;
}
