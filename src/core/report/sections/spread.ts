import { absent, factor } from '../../format/figures.ts';
import { type Block, left, type Row, right, type Section } from '../document.ts';
import { type PanelRow, panels, toneOf } from '../panels.ts';
import { metricOf, type ReportView } from '../view.ts';
import { latencyFigure } from '../wording.ts';

/** How far the slow answers lie from the usual ones: p99 as a multiple of p50, tightest first. */
export function spread(view: ReportView): Section | null {
  const blocks = panels(view).flatMap(({ title, corner, rows }): Block[] => {
    const spreads = rows.filter(({ entry }) => entry.valid).flatMap(spreadOf);
    if (spreads.length === 0) return [];
    if (corner === 'Service') spreads.sort((one, other) => one.spread - other.spread);
    const columns = [left(corner), ...['p50', 'p99', 'Spread (p99/p50)'].map(right)];
    return [
      { kind: 'caption', text: `${title}:` },
      { kind: 'table', table: { label: `Latency spread: ${title}`, columns, rows: spreads.map(({ row }) => row) } },
    ];
  });
  return blocks.length === 0 ? null : { id: 'spread', title: 'Latency consistency', blocks };
}

function spreadOf({ title, entry }: PanelRow): { spread: number; row: Row }[] {
  const { record } = entry;
  const p50 = metricOf(record, 'latency-p50');
  const p99 = metricOf(record, 'latency-p99');
  if (p50 === null || p99 === null) return [];
  const spread = p50 > 0 ? p99 / p50 : Number.POSITIVE_INFINITY;
  const figures = [p50, p99].map((value) => latencyFigure(record.generator, value));
  const cells = [title, ...figures, Number.isFinite(spread) ? factor(spread) : absent];
  return [{ spread, row: { tone: toneOf(entry, false), cells } }];
}
