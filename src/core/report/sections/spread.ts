import { absent, factor } from '../../format/figures.ts';
import { limitOf } from '../analysis/limiting-part.ts';
import { DELAYED_ACK_MS, delayedAckMs } from '../analysis/timer.ts';
import { type Block, left, type Row, right, type Section } from '../document.ts';
import { type PanelRow, panels, toneOf } from '../panels.ts';
import { type Entry, metricOf, type ReportView } from '../view.ts';
import { latencyFigure } from '../wording.ts';

/**
 * How far the slow answers lie from the usual ones: p99 as a multiple of p50, tightest first. What all waits for one timer is
 * tight as well, and no steadier for it: it comes last.
 */
export function spread(view: ReportView): Section | null {
  const blocks = panels(view).flatMap(({ title, corner, rows }): Block[] => {
    const spreads = rows.filter(({ entry }) => entry.valid).flatMap((row) => spreadOf(row, view));
    if (spreads.length === 0) return [];
    if (corner === 'Service') {
      spreads.sort(
        (one, other) => Number(one.timer !== null) - Number(other.timer !== null) || one.spread - other.spread,
      );
    }
    const columns = [left(corner), ...['p50', 'p99', 'Spread (p99/p50)'].map(right)];
    return [
      { kind: 'caption', text: `${title}:` },
      { kind: 'table', table: { label: `Latency spread: ${title}`, columns, rows: spreads.map(({ row }) => row) } },
      ...timerBlocks(spreads),
    ];
  });
  return blocks.length === 0 ? null : { id: 'spread', title: 'Latency consistency', blocks };
}

interface Spread {
  spread: number;
  /** p50 of a case that waits for a timer; null of any other. */
  timer: { label: string; p50: string } | null;
  row: Row;
}

function spreadOf({ title, label, entry }: PanelRow, view: ReportView): Spread[] {
  const { record } = entry;
  const p50 = metricOf(record, 'latency-p50');
  const p99 = metricOf(record, 'latency-p99');
  if (p50 === null || p99 === null) return [];
  const spread = p50 > 0 ? p99 / p50 : Number.POSITIVE_INFINITY;
  const figures = [p50, p99].map((value) => latencyFigure(record.generator, value));
  const timer = waitsForTimer(entry, view) ? { label, p50: figures[0]! } : null;
  const name = timer === null ? title : `${title} (a timer)`;
  const cells = [name, ...figures, Number.isFinite(spread) ? factor(spread) : absent];
  return [{ spread, timer, row: { tone: toneOf(entry, false), cells } }];
}

/** Of a run that says nothing of CPUs the latencies alone are enough: nothing else keeps p50 and p90 so close to 40 ms. */
function waitsForTimer(entry: Entry, view: ReportView): boolean {
  const limit = limitOf(entry, view);
  return delayedAckMs(entry.record) !== null && (limit === null || limit.part === 'timer');
}

function timerBlocks(spreads: readonly Spread[]): Block[] {
  return spreads.flatMap(({ timer }): Block[] => {
    if (timer === null) return [];
    const text =
      `${timer.label}: nearly all answers take about ${timer.p50} because they wait for a timer (delayed ACK against ` +
      `Nagle's algorithm gives ${DELAYED_ACK_MS} ms). That they are so close together says nothing good of the service.`;
    return [{ kind: 'paragraph', text }];
  });
}
