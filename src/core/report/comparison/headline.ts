import type { Comparison } from '../../comparison/comparison.ts';
import { counted } from '../../format/figures.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Inline, Mark } from '../document.ts';
import { clippedLine } from './clipped-text.ts';
import { hasOtherData, headlineParts } from './headline-parts.ts';
import { mostChanges } from './judged-figures.ts';
import { worseBy } from './metric-words.ts';
import { type ComparisonTally, comparisonTally, countsBeside, isAny, leftOutText, wholeRun } from './tally.ts';

/** The verdict in one line: what is the case first, and in a few words all else that must not be overlooked. */
export interface Headline {
  mark: Mark;
  text: Inline;
  /** Nothing is left for a line of counts to say. */
  saysAll: boolean;
}

/** `record` is the candidate's: it tells the paths of the endpoints, and how long the rounds took. */
export function headline(comparison: Comparison, record: RunRecord): Headline {
  if (comparison.skipped !== null) {
    return whole(
      'none',
      `Nothing was measured: ${clippedLine(comparison.skipped.message).replace(/^Not measured: /, '')}`,
    );
  }
  const tally = comparisonTally(comparison);
  const broken = comparison.gate.invalid.find(({ caseKey }) => caseKey === wholeRun);
  if (tally.cases === 0) {
    return broken === undefined
      ? whole('none', 'No case was compared.')
      : whole('invalid', clippedLine(broken.message));
  }
  const isNew = isAny(tally.new) && tally.new.endpoints + tally.beyond.endpoints === tally.endpoints;
  if (isNew && broken === undefined && !isAny(tally.invalid) && !isAny(tally.regressed)) {
    return whole('none', `First measurement of ${endpointsText(tally)}: there is no baseline to compare with.`);
  }
  const [first, ...others] = headlineParts(comparison, tally, record);
  const said = first ?? { mark: 'pass' as const, text: unchanged(comparison, tally), kind: saidOf(tally) };
  const isIncomplete = others.some(({ kind }) => kind === null);
  const isOfData = hasOtherData(comparison);
  const data = isOfData && !isAny(tally.improved) ? ['the data differ'] : [];
  const also = [
    ...(isIncomplete ? ['incomplete'] : []),
    ...countsBeside(tally, said.kind, isOfData ? { improved: ' on other data' } : {}),
    ...leftOutText(tally),
    ...data,
  ];
  const text = [said.text, ...also.map((brief) => ` · ${brief}`)];
  return { mark: said.mark, text, saysAll: first === undefined };
}

function whole(mark: Mark, text: string): Headline {
  return { mark, text, saysAll: true };
}

/** What the sentence on what did not change counts. */
function saidOf({ unchanged: found }: ComparisonTally): 'unchanged' | 'unjudged' {
  return found.endpoints === 0 ? 'unjudged' : 'unchanged';
}

function unchanged(comparison: Comparison, tally: ComparisonTally): string {
  if (saidOf(tally) === 'unjudged') return `No metric of ${endpointsText(tally)} is judged`;
  const most = mostChangesText(comparison);
  return `No change in ${endpointsText(unchangedIn(tally), most === '' ? [] : [most])}`;
}

/** As `endpointsText` takes it. */
export function unchangedIn({ unchanged: found, unchangedCases }: ComparisonTally): {
  endpoints: number;
  cases: number;
} {
  return { endpoints: found.endpoints, cases: unchangedCases };
}

/** `4 endpoints (20 cases)`, `4 endpoints` where each has one case; `more` joins what stands in the brackets. */
export function endpointsText(
  { endpoints, cases }: { endpoints: number; cases: number },
  more: readonly string[] = [],
): string {
  const notes = [...(cases === endpoints ? [] : [counted(cases, 'case')]), ...more];
  return `${counted(endpoints, 'endpoint')}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

/** `at most 2.9 % lower throughput, 1.4 % higher CPU`: what is not excluded of what did not change; empty where no metric has a figure. */
export function mostChangesText(comparison: Comparison): string {
  const said = mostChanges(comparison).map(({ metric, change }) => worseBy(metric, change));
  return said.length === 0 ? '' : `at most ${said.join(', ')}`;
}
