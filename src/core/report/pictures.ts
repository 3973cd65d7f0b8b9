/** `best`: the fastest of those that are ranked. `worse` and `better`: than the baseline. */
export type Tone = 'plain' | 'best' | 'reference' | 'invalid' | 'worse' | 'better';

/** What stands beside a table that says the same. Its texts are plain; the page escapes them. */
export type Picture = BarsPicture | StacksPicture | LinesPicture;

/** A row for each name, with a bar for each measure: what something does beside what it takes. */
export interface BarsPicture {
  form: 'bars';
  title: string;
  note: string;
  /** Each has a scale of its own, from 0. */
  measures: { title: string; note: string }[];
  rows: { label: string; tone: Tone; bars: (MeasureBar | null)[] }[];
}

export interface MeasureBar {
  value: number;
  figure: string;
  /** From its lowest to its highest; null where that is not known. */
  range: [number, number] | null;
}

/** Bars of parts, one after the other: where something went. */
export interface StacksPicture {
  form: 'stacks';
  title: string;
  note: string;
  parts: string[];
  rows: { label: string; tone: Tone; values: number[]; figure: string }[];
}

/** Lines over steps that stand for something in order: percentiles, numbers of connections. */
export interface LinesPicture {
  form: 'lines';
  title: string;
  note: string;
  steps: string[];
  /** What the picture spans, upwards, and where its axis has a tick; on a logarithmic axis all are above 0. */
  extent: [number, number];
  logarithmic: boolean;
  ticks: { value: number; figure: string }[];
  lines: { label: string; points: ({ value: number; figure: string } | null)[] }[];
}
