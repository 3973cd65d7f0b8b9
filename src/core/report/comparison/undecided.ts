import type { Comparison } from '../../comparison/comparison.ts';
import { counted } from '../../format/figures.ts';
import { type Inline, joined } from '../document.ts';
import type { CaseLabels } from './case-labels.ts';
import { judgedIn, metricOf } from './endpoint-groups.ts';
import { roundsOf, worstEnd } from './judged-figures.ts';
import { inReportOrder, shortName, worseBy } from './metric-words.ts';
import { type ComparisonTally, placesText } from './tally.ts';
import { undecidedEntries } from './undecided-entries.ts';

const MOST_METRICS = 2;

/**
 * How large a change may have been missed: `Could not tell in 1 of 4 endpoints: up to 6.0 % higher CPU cannot be excluded after 14
 * rounds`. `isAll`: nothing else was found.
 */
export function undecidedText(
  comparison: Comparison,
  tally: ComparisonTally,
  labels: CaseLabels,
  isAll: boolean,
): Inline {
  const hidden = hiddenChanges(comparison);
  const places = placesText(tally.undecided, tally);
  const where = places === '' ? '' : ` in ${places}`;
  if (hidden.length === 0) return [`Undecided${where}${after(comparison)}: `, ...undecidedCases(comparison, labels)];
  const changes = hidden.map(({ metric, change }) => worseBy(metric, change)).join(' and ');
  return `${isAll ? 'Could not tell' : 'Undecided'}${where}: up to ${changes} cannot be excluded${after(comparison)}`;
}

/** What a reader can do about it; null where all is decided. */
export function undecidedAdvice(comparison: Comparison): Inline | null {
  if (hiddenChanges(comparison).length === 0) return null;
  return comparison.mode === 'stored'
    ? 'To decide it takes more past runs.'
    : ['To decide it, measure again, or for longer: a larger ', { code: 'gate.budget' }, ' shows smaller changes.'];
}

/** For the worse, by the end of the interval that decides: the largest of each metric that is open, of the two with the largest. */
function hiddenChanges(comparison: Comparison): { metric: string; change: number }[] {
  const byKey = new Map(judgedIn(comparison).map((each) => [each.key, each]));
  const largest = new Map<string, number>();
  for (const { caseKey, metric } of undecidedEntries(comparison)) {
    const each = byKey.get(caseKey);
    const compared = each === undefined || metric === null ? null : metricOf(each, metric);
    const end = compared?.verdict === 'inconclusive' ? worstEnd(compared) : null;
    if (end !== null && end > 0) largest.set(metric!, Math.max(end, largest.get(metric!) ?? 0));
  }
  const metrics = [...largest.keys()].sort((one, other) => largest.get(other)! - largest.get(one)!);
  return inReportOrder(metrics.slice(0, MOST_METRICS)).map((metric) => ({ metric, change: largest.get(metric)! }));
}

function after(comparison: Comparison): string {
  const most = roundsOf(comparison)?.[1] ?? 0;
  return most === 0 ? '' : ` after ${counted(most, comparison.mode === 'stored' ? 'past run' : 'round')}`;
}

/** Up to three, each with its metrics. */
function undecidedCases(comparison: Comparison, labels: CaseLabels): Inline[] {
  const entries = undecidedEntries(comparison);
  const keys = [...new Set(entries.map(({ caseKey }) => caseKey))];
  const named = keys.slice(0, 3).map((key): Inline => {
    const metrics = entries.flatMap(({ caseKey, metric }) =>
      caseKey === key && metric !== null ? shortName(metric) : [],
    );
    return [{ code: labels.of(key) }, metrics.length === 0 ? '' : ` (${metrics.join(', ')})`];
  });
  return [...joined(named, ', '), keys.length > 3 ? ` and ${keys.length - 3} more` : ''];
}
