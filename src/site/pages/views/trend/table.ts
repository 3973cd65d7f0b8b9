import { visible } from '../../../../core/format/text.ts';
import { element } from '../../element.ts';
import { timeText } from '../../metric-figure.ts';
import { isShown } from './downloads.ts';
import { changeText } from './drawings.ts';
import type { Trend } from './model.ts';
import { figureText, scrolling, verdictText } from './selection.ts';

/** Rows of a table that a browser shows at once; the downloads have no limit. */
const MOST_ROWS = 1000;

/** A chart's figures as a table, the newest first; made when it is unfolded. */
export function foldedTable(title: string, id: string, trend: Trend, what: 'figures' | 'changes'): HTMLDetailsElement {
  const folded = element('details', {}, element('summary', { id }, title));
  folded.addEventListener('toggle', () => {
    if (folded.open && folded.childElementCount === 1) folded.append(...tableOf(title, trend, what));
  });
  return folded;
}

function tableOf(title: string, trend: Trend, what: 'figures' | 'changes'): Node[] {
  const rows: HTMLTableRowElement[] = [];
  let left = 0;
  for (let place = trend.runs.length - 1; place >= 0; place -= 1) {
    const run = trend.runs[place]!;
    const { at, sha, cpu, release } = run;
    for (const line of trend.lines) {
      const shown = what === 'figures' ? isShown(line, place) : !Number.isNaN(line.columns.change[place]!);
      if (!shown) continue;
      if (rows.length >= MOST_ROWS) {
        left += 1;
        continue;
      }
      const own =
        what === 'figures'
          ? [element('td', { class: 'right' }, figureText(line, place)), element('td', { class: 'left' }, visible(cpu))]
          : [
              element('td', { class: 'right' }, changeText(line, place)),
              element('td', { class: 'left' }, verdictText(run, line, place)),
            ];
      rows.push(
        element(
          'tr',
          {},
          element('th', { scope: 'row', class: 'left' }, timeText(at)),
          element(
            'td',
            { class: 'left' },
            [sha?.slice(0, 7) ?? '–', release].filter((part) => part !== null).join(' · '),
          ),
          element('td', { class: 'left' }, line.title),
          ...own,
        ),
      );
    }
  }
  const head = [
    'Run',
    'Commit',
    'Case',
    ...(what === 'figures' ? [visible(trend.metric.title), 'CPU'] : ['Change', 'Verdict']),
  ];
  const table = element(
    'table',
    {},
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        ...head.map((text, index) => element('th', { scope: 'col', class: index === 3 ? 'right' : 'left' }, text)),
      ),
    ),
    element('tbody', {}, ...rows),
  );
  const note =
    left === 0
      ? null
      : element('p', { class: 'quiet' }, `The newest ${MOST_ROWS} rows; the downloads have ${left} more.`);
  return [scrolling(title, table), ...(note === null ? [] : [note])];
}
