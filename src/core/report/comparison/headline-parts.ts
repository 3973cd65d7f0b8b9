import type { Comparison, GateEntry } from '../../comparison/comparison.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { type Inline, joined, type Mark } from '../document.ts';
import { counted } from '../figures.ts';
import { type CaseLabels, caseLabels } from './case-labels.ts';
import { type CaseCounts, caseFindings, type Finding, type FindingKind, instancesOf, wholeRun } from './findings.ts';
import { changePhrase, shortName } from './metric-words.ts';
import { clippedLine } from './stranger-text.ts';

/** One of the things that a comparison can have found. */
export interface HeadlinePart {
  mark: Mark;
  /** Where it comes first. */
  text: Inline;
  /** After a graver one: `2 undecided`. */
  brief: string;
}

/** What was found, the gravest first; empty where nothing changed and all is decided. */
export function headlineParts(comparison: Comparison, counts: CaseCounts, record: RunRecord | null): HeadlinePart[] {
  const { gate } = comparison;
  const { regressed, invalid, undecided, accepted, improved } = counts;
  const labels = caseLabels(comparison, record);
  const found = caseFindings(comparison).flatMap(({ findings }) => findings);
  const leading = (kind: FindingKind, entries: readonly GateEntry[]): Inline => {
    const finding = found.find((each) => each.kind === kind);
    return finding === undefined ? entrySaid(entries[0]!, labels) : findingSaid(finding, labels);
  };
  const parts: HeadlinePart[] = [];
  if (regressed > 0) {
    const text = [...title('Regression', 'worst', 'regressed', counts), leading('regression', gate.regressions)];
    parts.push({ mark: 'fail', text, brief: `${regressed} worse` });
  }
  const [wholes, ofCases] = [true, false].map((isWhole) =>
    gate.invalid.filter(({ caseKey }) => (caseKey === wholeRun) === isWhole),
  ) as [GateEntry[], GateEntry[]];
  for (const { message } of wholes) parts.push({ mark: 'invalid', text: clippedLine(message), brief: 'incomplete' });
  if (invalid > 0) {
    const text = [`${ofAll(invalid, counts)} invalid: `, entrySaid(ofCases[0]!, labels)];
    parts.push({ mark: 'invalid', text, brief: `${invalid} invalid` });
  }
  if (undecided > 0) {
    const said = undecidedCases(gate.inconclusive, labels);
    const inCases = undecided - counts.services.undecided;
    const what = inCases === 0 ? 'Undecided' : `${ofAll(inCases, counts)} undecided`;
    const text = [`${what}${after(comparison)}: `, ...said];
    parts.push({ mark: 'undecided', text, brief: `${undecided} undecided` });
  }
  if (accepted > 0) {
    const text = [
      ...title('Accepted regression', 'worst', 'accepted', counts),
      leading('accepted', gate.accepted),
      ` (${clippedLine((found.find(({ kind }) => kind === 'accepted') ?? gate.accepted[0])?.reason ?? '')})`,
    ];
    parts.push({ mark: 'pass', text, brief: `${accepted} accepted` });
  }
  if (improved > 0) {
    const text = [...title('Improvement', 'greatest', 'improved', counts), leading('improvement', [])];
    parts.push({ mark: 'pass', text, brief: `${improved} better` });
  }
  return parts;
}

function title(what: string, superlative: string, kind: keyof CaseCounts['services'], counts: CaseCounts): Inline[] {
  const number = counts[kind];
  const inCases = number - counts.services[kind];
  const where = counts.cases === 1 || inCases === 0 ? '' : ` in ${inCases} of ${counts.cases} cases`;
  return [`${what}${number === 1 ? '' : 's'}${where}${number === 1 ? '' : `, the ${superlative}`}: `];
}

function ofAll(number: number, { cases }: CaseCounts): string {
  return cases === 1 ? 'The only case is' : `${number} of ${cases} cases`;
}

function after(comparison: Comparison): string {
  const most = instancesOf(comparison)?.[1] ?? 0;
  return most === 0 ? '' : ` after ${counted(most, comparison.mode === 'stored' ? 'run' : 'instance')}`;
}

function findingSaid({ key, metric, compared }: Finding, labels: CaseLabels): Inline {
  return [{ code: labels.short(key) }, ` ${changePhrase(metric, compared)}`];
}

function entrySaid({ caseKey, message }: GateEntry, labels: CaseLabels): Inline {
  return [{ code: labels.short(caseKey) }, `: ${clippedLine(message)}`];
}

/** Up to three cases, each with its metrics. */
function undecidedCases(entries: readonly GateEntry[], labels: CaseLabels): Inline[] {
  const keys = [...new Set(entries.map(({ caseKey }) => caseKey))];
  const named = keys.slice(0, 3).map((key): Inline => {
    const metrics = entries.flatMap(({ caseKey, metric }) =>
      caseKey === key && metric !== null ? shortName(metric) : [],
    );
    return [{ code: labels.of(key) }, metrics.length === 0 ? '' : ` (${metrics.join(', ')})`];
  });
  return [...joined(named, ', '), keys.length > 3 ? ` and ${keys.length - 3} more` : ''];
}
