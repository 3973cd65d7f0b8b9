import type { Picture, Tone } from './pictures.ts';

/**
 * What a report says, before it is Markdown or HTML. Sections are built of these blocks once, and each format writes
 * them down in its own way; every string in here is plain text, which the formats escape. A section can therefore not
 * forget to.
 */
export interface ReportDocument {
  title: string;
  /** The line that most people read, and no other. */
  headline: Inline;
  /** What the headline's verdict is, where it is one. */
  mark: Mark | null;
  sections: Section[];
}

export interface Section {
  /** Anchor in the page: lower-case letters and dashes. */
  id: string;
  title: Inline;
  blocks: Block[];
}

export type Inline =
  | string
  | { code: string }
  | { strong: Inline }
  | { file: string; text: string }
  /** Elsewhere on the web: an address that is no http or https one is left out, and its text stays. */
  | { url: string; text: string }
  | { mark: Mark }
  | Inline[];

/** A sign beside words that say the same: for the eye that looks for the red one. `none`: there is nothing to judge. */
export type Mark = 'fail' | 'pass' | 'undecided' | 'invalid' | 'none';

export type Block =
  | { kind: 'heading'; text: Inline }
  | { kind: 'caption'; text: Inline }
  | { kind: 'paragraph'; text: Inline }
  | { kind: 'warning'; text: Inline }
  | { kind: 'list'; items: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'table'; table: Table }
  | { kind: 'bars'; bars: Bar[] }
  | { kind: 'intervals'; chart: IntervalChart }
  /** What the parts of an interval's picture stand for; Markdown has no pictures to explain. */
  | { kind: 'interval-legend' }
  /** Beside a table that says the same; Markdown has none. */
  | { kind: 'picture'; picture: Picture }
  | { kind: 'details'; summary: Inline; blocks: Block[] };

export interface Table {
  /** What the table shows, for those who cannot see where it stands; not printed in Markdown. */
  label: string;
  /** Set where the page's charts want to find it. */
  id?: string;
  /** Figures of one column have nothing in common: there is no order to sort them by. */
  mixed?: true;
  /** Figures have words beside them, and may take two lines where there is no room for one. */
  wraps?: true;
  /** It has verdicts: where the screen is too narrow for it, each row is its name with its cells below, so that none is out of sight. */
  stacks?: true;
  columns: Column[];
  rows: Row[];
}

export interface Column {
  title: Inline;
  align: 'left' | 'right';
}

export interface Row {
  cells: Inline[];
  tone: Tone;
  /** Of a comparison: nothing was found to have changed. The page can leave these rows out. */
  unchanged?: true;
  /** Of each cell, how it looks; its text says the same. Markdown leaves it out. */
  looks?: CellLook[];
}

/** A step of a heat map from 1 to 7; `quiet`: a figure that is not to be compared; `invalid`: one that means nothing. */
export type CellLook = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 'quiet' | 'invalid' | null;

export interface Bar {
  label: string;
  value: number;
  /** The value as it stands beside the bar. */
  figure: string;
  tone: Tone;
}

/** Changes of one metric over its cases, each with its interval: a picture beside a table that says the same. */
export interface IntervalChart {
  title: string;
  /** Where in the picture the bad is. */
  note: string;
  rows: IntervalRow[];
  /** What the picture spans, and where its axis has a tick: shares, 0.03 for +3 %. Holds 0. */
  extent: [number, number];
  ticks: { value: number; figure: string }[];
}

/** All are shares of the baseline: 0.061 is +6.1 %. What lies outside the chart's extent is cut at its edge. */
export interface IntervalRow {
  label: string;
  change: number;
  interval: [number, number] | null;
  adjusted: [number, number] | null;
  /** Half the width of the band in which a change is none; null where the metric is not judged by one. */
  threshold: number | null;
  mark: Mark;
  /** The verdict: `worse`. */
  word: string;
  /** What stands beside it: `+6.1 % worse`. */
  figure: string;
}

/** A sentence with what stands between two backticks as code. */
export function withCode(text: string): Inline[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? { code: part } : part));
}

/** With the separator between them. */
export function joined(parts: readonly Inline[], separator: string): Inline[] {
  return parts.flatMap((part, index) => (index > 0 ? [separator, part] : [part]));
}

export const left = (title: Inline): Column => ({ title, align: 'left' });
export const right = (title: Inline): Column => ({ title, align: 'right' });

/** Rows of the table as columns: the first column's cells become the titles. */
export function transposed(table: Table): Table {
  const [corner, ...columns] = table.columns;
  return {
    ...table,
    mixed: true,
    columns: [corner!, ...table.rows.map((row) => right(row.cells[0]!))],
    rows: columns.map((column, index) => ({
      cells: [column.title, ...table.rows.map((row) => row.cells[index + 1]!)],
      tone: 'plain' as const,
    })),
  };
}

/** Without the columns whose cells are all one of `empty`; the first column always stays. */
export function withoutEmptyColumns(table: Table, empty: string): Table {
  const kept = table.columns.map((_, index) => index === 0 || table.rows.some((row) => row.cells[index] !== empty));
  return {
    ...table,
    columns: table.columns.filter((_, index) => kept[index]),
    rows: table.rows.map((row) => ({ ...row, cells: row.cells.filter((_, index) => kept[index]) })),
  };
}
