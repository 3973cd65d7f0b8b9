import type { Comparison } from '../comparison/comparison.ts';
import { comparisonOf } from '../comparison/comparison-of.ts';
import type { RunRecord } from '../record/run-record.ts';
import { creptIn } from '../report/comparison/since-anchor.ts';
import { inlineText } from '../report/inline-text.ts';
import type { JudgedRun } from './verdict.ts';

/** Where the run against the anchor lies beside the run itself. */
export const ANCHOR_RECORD = 'anchor/run.json';

/**
 * The comparison with the anchor, from the record that its own run left. Null where that is of another commit or spec than `record`, or
 * measured no baseline.
 */
export function anchorComparison(record: RunRecord, anchor: RunRecord): Comparison | null {
  const isOfSame = anchor.spec.name === record.spec.name && anchor.source.sha === record.source.sha;
  return isOfSame && anchor.comparing !== undefined ? comparisonOf(anchor) : null;
}

/** With what the anchor showed. It is shown beside a comparison, and no verdict rests on it. */
export function withAnchor(judged: JudgedRun, anchor: Comparison | undefined): JudgedRun {
  const { comparison } = judged;
  return anchor === undefined || comparison === null ? judged : { ...judged, comparison: { ...comparison, anchor } };
}

/** What crept in since the anchor of each spec, a line each for a log. No run fails for it. */
export function creptLines(judged: readonly JudgedRun[]): string[] {
  return judged.flatMap(({ record, comparison }) => {
    const crept = comparison?.anchor === undefined ? null : creptIn(comparison.anchor, record);
    return crept === null ? [] : [`${record.spec.name}: ${lowered(inlineText(crept))}.`];
  });
}

function lowered(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
