import type { AcceptedEntry, Comparison, GateEntry, MetricComparison } from '../../comparison/comparison.ts';
import type { Mark } from '../document.ts';
import type { CaseLabels } from './case-labels.ts';
import { changeFigure, intervalText, limitFigure } from './change-figures.ts';
import { metricTitle } from './metric-words.ts';
import { clippedLine } from './stranger-text.ts';

/** What the first line only counts, each with a sentence. */
export interface EntryList {
  title: string;
  mark: Mark;
  lines: string[];
}

/** Those of the gate's lists that hold something. What is red stands in the table of changes. */
export function entryLists(comparison: Comparison, labels: CaseLabels): EntryList[] {
  const { gate } = comparison;
  const undecided = gate.inconclusive.map((entry) => undecidedLine(entry, comparison, labels));
  const lists: EntryList[] = [
    { title: 'Invalid', mark: 'invalid', lines: gate.invalid.map((entry) => line(entry, labels)) },
    { title: 'Undecided', mark: 'undecided', lines: undecided },
    { title: 'Accepted', mark: 'none', lines: gate.accepted.map((entry) => acceptedLine(entry, labels)) },
    { title: 'New', mark: 'none', lines: gate.new.map((entry) => line(entry, labels)) },
  ];
  return lists.filter(({ lines }) => lines.length > 0);
}

function line({ caseKey, message }: GateEntry, labels: CaseLabels): string {
  return `${labels.of(caseKey)}: ${clippedLine(message, 400)}`;
}

function acceptedLine({ caseKey, metric, reason }: AcceptedEntry, labels: CaseLabels): string {
  return `${labels.of(caseKey)}${metric === null ? '' : `, ${metricTitle(metric)}`}: ${clippedLine(reason, 400)}`;
}

/** `api · /ping · keep-alive · 100: Throughput -3.8 %, corrected interval (-6.1 … -1.4), limit -5 %`. */
function undecidedLine(entry: GateEntry, comparison: Comparison, labels: CaseLabels): string {
  const compared = metricOf(entry, comparison);
  if (compared === null || entry.metric === null) return line(entry, labels);
  const { change, adjusted, evidence } = compared;
  const limit = limitFigure(entry.metric, compared);
  const parts = [
    `${metricTitle(entry.metric)}${change === null ? '' : ` ${changeFigure(entry.metric, compared)}`}`,
    ...(adjusted === null ? [] : [`corrected interval ${intervalText(adjusted)}`]),
    ...(limit === '' ? [] : [`limit ${limit}`]),
    ...(evidence.note === null ? [] : [clippedLine(evidence.note, 300)]),
  ];
  return `${labels.of(entry.caseKey)}: ${parts.join(', ')}`;
}

function metricOf({ caseKey, metric }: GateEntry, { cases }: Comparison): MetricComparison | null {
  const metrics = cases.find(({ key }) => key === caseKey)?.metrics ?? {};
  return metric !== null && Object.hasOwn(metrics, metric) ? metrics[metric]! : null;
}
