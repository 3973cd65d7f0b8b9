import type { RunEntry, State } from '../../view.ts';

/** Which runs are to be shown. */
export type Range =
  | { kind: 'newest'; count: number }
  | { kind: 'all' }
  /** Milliseconds, both included; null for no limit. */
  | { kind: 'between'; from: number | null; to: number | null };

export const NEWEST = 100;
const MOST_NEWEST = 100_000;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** From `from` and `to` (a day or a moment, in UTC), else `last` (a number or `all`); what is none of these counts as not there. */
export function rangeOf(state: State): Range {
  const from = momentOf(state.get('from'), 'start');
  const to = momentOf(state.get('to'), 'end');
  if (from !== null || to !== null) return { kind: 'between', from, to };
  const last = state.get('last') ?? '';
  if (last === 'all') return { kind: 'all' };
  const count = /^[1-9]\d{0,5}$/.test(last) ? Math.min(MOST_NEWEST, Number(last)) : NEWEST;
  return { kind: 'newest', count };
}

function momentOf(text: string | undefined, side: 'start' | 'end'): number | null {
  if (text === undefined || !(DAY.test(text) || MOMENT.test(text))) return null;
  const at = Date.parse(DAY.test(text) ? `${text}T${side === 'start' ? '00:00:00.000' : '23:59:59.999'}Z` : text);
  return Number.isNaN(at) ? null : at;
}

/** `2026-11-20T09:28:02Z`, as `rangeOf` reads it. */
export function momentText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Whether these runs, the newest that there are, hold all of the range; `extra`: so many more before it, that its band rests on. */
export function isCovered(range: Range, runs: readonly RunEntry[], extra: number): boolean {
  if (range.kind === 'newest') return runs.length >= range.count;
  if (range.kind === 'all' || range.from === null) return false;
  const { from } = range;
  return runs.filter(({ at }) => at < from).length >= extra;
}

/** Places of the first run of the range, and of the first one after it. */
export function bounds(range: Range, runs: readonly RunEntry[]): [start: number, end: number] {
  if (range.kind === 'all') return [0, runs.length];
  if (range.kind === 'newest') return [Math.max(0, runs.length - range.count), runs.length];
  const start = runs.findIndex(({ at }) => range.from === null || at >= range.from);
  const end = runs.findIndex(({ at }) => range.to !== null && at > range.to);
  return [start === -1 ? runs.length : start, end === -1 ? runs.length : end];
}

/** Runs that a view never shows less of. */
const FEWEST = 5;

export type Move = 'in' | 'out' | 'earlier' | 'later';

/** The window after a step; `around` is where the zoom has its centre, from 0 to 1. It may begin before 0, where more is to be fetched. */
export function moved([start, end]: [number, number], move: Move, around = 0.5): [number, number] {
  const length = end - start;
  const half = Math.max(1, Math.round(length / 2));
  if (move === 'earlier') return [start - half, end - half];
  if (move === 'later') return [start + half, end + half];
  const next = move === 'in' ? Math.max(Math.min(FEWEST, length), half) : length * 2;
  const first = Math.round(start + (length - next) * around);
  return [first, first + next];
}

/** The same within `count` runs, as long as before where that is possible. */
export function within([start, end]: [number, number], count: number): [number, number] {
  const length = Math.min(end - start, count);
  const first = Math.min(Math.max(0, start), count - length);
  return [first, first + length];
}
