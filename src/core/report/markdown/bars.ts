import { columnsOf, leftToRight, paddedEnd, paddedStart, shortened, visible } from '../../format/text.ts';
import type { Bar } from '../document.ts';

/** Columns of the longest bar. */
const longest = 56;

/** The picture under a table: a line each, `▏` where a bar would have no length, lighter where a case is invalid. */
export function barLines(bars: Bar[]): string[] {
  const labels = bars.map(({ label }) => leftToRight(shortened(visible(label), 36)));
  const labelColumns = Math.max(...labels.map(columnsOf)) + 2;
  const figureColumns = Math.max(...bars.map(({ figure }) => columnsOf(figure)));
  const most = Math.max(...bars.map(({ value }) => value));
  return bars.map(({ value, figure, tone }, index) => {
    const length = most > 0 ? Math.round((Math.max(0, value) / most) * longest) : 0;
    const bar = length === 0 ? '▏' : (tone === 'invalid' ? '░' : '█').repeat(length);
    const note = tone === 'invalid' ? '  invalid' : tone === 'reference' ? '  reference' : '';
    const line = `${paddedEnd(labels[index]!, labelColumns)}${paddedEnd(bar, longest)}  ${paddedStart(figure, figureColumns)}`;
    return `${line}${note}`;
  });
}
