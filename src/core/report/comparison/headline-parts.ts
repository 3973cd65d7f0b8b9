import { DATA_DIFFER } from '../../baseline/data-difference.ts';
import type { Comparison, GateEntry } from '../../comparison/comparison.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Inline, Mark } from '../document.ts';
import { type CaseLabels, caseLabels } from './case-labels.ts';
import { clippedLine } from './clipped-text.ts';
import { reasonInShort } from './deciding-line.ts';
import { judgedIn, placeOf } from './endpoint-groups.ts';
import { caseFindings, type Finding, type FindingKind, isOfDatabase } from './findings.ts';
import { isMeasured } from './judged-figures.ts';
import { changePhrase } from './metric-words.ts';
import { notMeasuredText } from './not-measured.ts';
import { type ComparisonTally, isAny, numberOf, placesText, type TallyKind, wholeRun } from './tally.ts';
import { undecidedText } from './undecided.ts';

/** One of the things that a comparison can have found. */
export interface HeadlinePart {
  mark: Mark;
  /** Where it comes first. */
  text: Inline;
  /** What its text counts; null where that is the run as a whole. */
  kind: TallyKind | null;
}

/** What was found, the most severe first; empty where nothing changed and all is decided. */
export function headlineParts(comparison: Comparison, tally: ComparisonTally, record: RunRecord): HeadlinePart[] {
  const { gate } = comparison;
  const { regressed, invalid, notMeasured, undecided, accepted, improved } = tally;
  const labels = caseLabels(comparison, record);
  const found = caseFindings(comparison).flatMap(({ findings }) => findings);
  const titled = (what: string, superlative: string, kind: FindingKind, entries: readonly GateEntry[]): Inline[] => {
    const finding = found.find((each) => each.kind === kind);
    const places = { regression: regressed, accepted, improvement: improved }[kind];
    const isWorst = numberOf(places) > 1 && finding?.level !== 'everything';
    const where = placesText(places, tally);
    const title = `${what}${numberOf(places) === 1 ? '' : 's'}${where === '' ? '' : ` in ${where}`}`;
    return [
      `${title}${isWorst ? `, the ${superlative}` : ''}: `,
      finding === undefined ? entrySaid(entries[0]!, labels) : findingText(finding, comparison, labels),
    ];
  };
  const parts: HeadlinePart[] = [];
  if (isAny(regressed)) {
    const text = titled('Regression', 'worst', 'regression', gate.regressions);
    parts.push({ mark: 'fail', text, kind: 'regressed' });
  }
  const [wholes, ofCases] = [true, false].map((isWhole) =>
    gate.invalid.filter(({ caseKey }) => (caseKey === wholeRun) === isWhole),
  ) as [GateEntry[], GateEntry[]];
  for (const { message } of wholes) parts.push({ mark: 'invalid', text: reasonInShort(message), kind: null });
  if (isAny(invalid)) {
    const where = placesText(invalid, tally);
    const first = ofCases[0]!;
    // Its endpoint may still be there: what is gone is that case.
    const isGone = comparison.cases.some(({ key, presence }) => key === first.caseKey && presence === 'missing');
    const said = isGone
      ? [{ code: labels.of(first.caseKey) }, `: ${reasonInShort(first.message)}`]
      : entrySaid(first, labels);
    const text = isMeasured(comparison)
      ? [`${where === '' ? 'Invalid' : `${where} invalid`}: `, said]
      : `Nothing was measured: ${reasonInShort(first.message)}`;
    parts.push({ mark: 'invalid', text, kind: 'invalid' });
  }
  if (isAny(notMeasured)) {
    const text = notMeasuredText(comparison, tally, record);
    parts.push({ mark: 'invalid', text, kind: 'notMeasured' });
  }
  if (isAny(undecided)) {
    const isAll = !isAny(accepted) && !isAny(improved) && parts.length === 0;
    const text = undecidedText(comparison, tally, labels, isAll);
    parts.push({ mark: 'undecided', text, kind: 'undecided' });
  }
  if (isAny(accepted)) {
    const regression = found.find(({ kind }) => kind === 'accepted');
    const { reason } = regression ?? gate.accepted[0]!;
    const title =
      regression === undefined
        ? ['Accepted: ', entrySaid(gate.accepted[0]!, labels)]
        : titled('Accepted regression', 'worst', 'accepted', gate.accepted);
    const text = [...title, ` (${clippedLine(reason ?? '')})`];
    parts.push({ mark: 'pass', text, kind: 'accepted' });
  }
  if (isAny(improved)) {
    const isOfData = hasOtherData(comparison);
    const what = isOfData ? 'Better, but on other data' : 'Improvement';
    const text = titled(what, 'greatest', 'improvement', []);
    parts.push({ mark: isOfData ? 'undecided' : 'pass', text, kind: 'improved' });
  }
  return parts;
}

/** Both sides were loaded with different data, or have other settings of the database. */
export function hasOtherData({ warnings }: Pick<Comparison, 'warnings'>): boolean {
  return warnings.some(({ code }) => code === DATA_DIFFER);
}

/** `api · /users` costs 6.1 % more CPU per request and sends 2 queries per request instead of 1. A case that stands for itself is named. */
export function findingText(finding: Finding, comparison: Comparison, labels: CaseLabels): Inline {
  const { key, metric, compared, level } = finding;
  const cause = causeOf(finding, comparison);
  const why = cause === null ? '' : ` and ${changePhrase(cause.metric, cause.compared)}`;
  return [{ code: level === 'case' ? labels.of(key) : labels.short(key) }, ` ${changePhrase(metric, compared)}${why}`];
}

/** What the same endpoint asks of its database now: it says why the rest changed. */
function causeOf(finding: Finding, comparison: Comparison): Finding | null {
  if (isOfDatabase(finding)) return null;
  const places = new Map(judgedIn(comparison).map((each) => [each.key, placeOf(each)]));
  const found = caseFindings(comparison).flatMap(({ findings }) => findings);
  const isOfSame = ({ key, kind }: Finding) => kind === finding.kind && places.get(key) === places.get(finding.key);
  return found.find((each) => isOfDatabase(each) && isOfSame(each)) ?? null;
}

function entrySaid({ caseKey, message }: GateEntry, labels: CaseLabels): Inline {
  return [{ code: labels.short(caseKey) }, `: ${reasonInShort(message)}`];
}
