import type { Comparison } from '../../comparison/comparison.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Inline, Mark } from '../document.ts';
import { counted } from '../figures.ts';
import { percent } from './change-figures.ts';
import { type CaseCounts, caseCounts, detectable, wholeRun } from './findings.ts';
import { headlineParts } from './headline-parts.ts';
import { shortName } from './metric-words.ts';
import { clippedLine } from './stranger-text.ts';

/** The verdict in one line: what is the case first, and in a few words all else that must not be overlooked. */
export interface Headline {
  mark: Mark;
  text: Inline;
  /** Nothing is left for a line of counts to say. */
  saysAll: boolean;
}

/** `record` is the candidate's: it tells the paths of the endpoints. */
export function headline(comparison: Comparison, record: RunRecord | null = null): Headline {
  if (comparison.skipped !== null) {
    return whole('none', `Nothing was measured: ${clippedLine(comparison.skipped.message)}`);
  }
  const counts = caseCounts(comparison);
  const broken = comparison.gate.invalid.find(({ caseKey }) => caseKey === wholeRun);
  if (counts.cases === 0) {
    return broken === undefined
      ? whole('none', 'No case was compared.')
      : whole('invalid', clippedLine(broken.message));
  }
  if (counts.new === counts.cases && broken === undefined && counts.invalid === 0 && counts.regressed === 0) {
    return whole(
      'none',
      `First measurement of ${counted(counts.cases, 'case')}: there is no baseline to compare with.`,
    );
  }
  const [first, ...others] = headlineParts(comparison, counts, record);
  const fresh = counts.new > 0 ? [`${counts.new} new`] : [];
  const said = first ?? { mark: 'pass' as const, text: unchanged(comparison, counts) };
  const also = [...others.map(({ brief }) => brief), ...fresh];
  const text = [said.text, ...also.map((brief) => ` · ${brief}`)];
  return { mark: said.mark, text, saysAll: first === undefined };
}

function whole(mark: Mark, text: string): Headline {
  return { mark, text, saysAll: true };
}

function unchanged(comparison: Comparison, counts: CaseCounts): string {
  if (counts.unchanged === 0) return `No metric of ${counted(counts.cases, 'case')} is judged`;
  const seen = detectableText(comparison);
  return `No change in ${counted(counts.unchanged, 'case')}${seen === '' ? '' : ` (would have seen ${seen})`}`;
}

/** `1.4 % CPU, 2.9 % throughput`; empty where no metric has a figure. Two instances tell nothing, and 574,491 % says it badly. */
export function detectableText(comparison: Comparison): string {
  return detectable(comparison)
    .map(({ metric, change }) => `${change > 1 ? 'over 100 %' : percent(change)} ${shortName(metric)}`)
    .join(', ');
}
