import { UnreadableOutput } from './definition.ts';

export interface RunSigns {
  tool: string;
  /** First lines of a run, with the flag g. Of several kinds the first one that a text has tells its runs apart. */
  starts: readonly RegExp[];
  /** What a run prints once, and only at its end; with the flag g. */
  result: RegExp;
}

/**
 * The part of a text that belongs to its one result: what a run that came to no end has left before or behind it is none of its.
 * Null where there is no result. Throws `UnreadableOutput` where there are several.
 */
export function oneRun(text: string, { tool, starts, result }: RunSigns): string | null {
  const results = [...text.matchAll(result)];
  if (results.length > 1) throw severalRuns(tool, results.length);
  const at = results[0]?.index;
  if (at === undefined) return null;
  const found = starts.map((start) => Array.from(text.matchAll(start), ({ index }) => index));
  const begins = found.find((each) => each.length > 0) ?? [];
  return text.slice(begins.findLast((index) => index <= at) ?? 0, begins.find((index) => index > at) ?? text.length);
}

export function severalRuns(tool: string, count: number): UnreadableOutput {
  return new UnreadableOutput(
    `This holds ${count} whole outputs of ${tool}, and their figures are not mixed. Give the one that is meant, and no other.`,
  );
}
