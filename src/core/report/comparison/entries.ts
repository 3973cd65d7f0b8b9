import type { AcceptedEntry, Comparison, GateEntry, MetricComparison } from '../../comparison/comparison.ts';
import { intervalText } from '../../format/percent.ts';
import type { Mark } from '../document.ts';
import type { CaseLabels } from './case-labels.ts';
import { changeFigure, limitFigure } from './change-figures.ts';
import { clippedLine } from './clipped-text.ts';
import { judgedIn } from './endpoint-groups.ts';
import { metricTitle, shortName } from './metric-words.ts';
import { undecidedEntries } from './undecided-entries.ts';

/** What the first line only counts, each with a sentence. */
export interface EntryList {
  title: string;
  mark: Mark;
  lines: string[];
}

/** Those of the gate's lists that hold something. What is red stands in the table of changes. */
export function entryLists(comparison: Comparison, labels: CaseLabels): EntryList[] {
  const { gate } = comparison;
  const metricsOf = new Map(judgedIn(comparison).map(({ key, metrics }) => [key, metrics]));
  const undecided = undecidedEntries(comparison).map(
    (entry) => `${labels.of(entry.caseKey)}: ${undecidedSaid(entry, metricsOf.get(entry.caseKey) ?? {})}`,
  );
  const lists: EntryList[] = [
    { title: 'Invalid', mark: 'invalid', lines: linesByMessage(gate.invalid, labels) },
    { title: 'Not measured', mark: 'invalid', lines: notMeasuredLines(gate.notMeasured, metricsOf, labels) },
    { title: 'Undecided', mark: 'undecided', lines: undecided },
    { title: 'Left out (same failure on both sides)', mark: 'none', lines: linesByMessage(gate.leftOut, labels) },
    { title: 'Accepted', mark: 'none', lines: acceptedLines(gate.accepted, labels) },
    { title: 'New', mark: 'none', lines: linesByMessage(gate.new, labels) },
  ];
  return lists.filter(({ lines }) => lines.length > 0);
}

/** One line for all cases of which the same is said, as of those of a service that does not start. */
function linesByMessage(entries: readonly GateEntry[], labels: CaseLabels): string[] {
  const messages = [...new Set(entries.map(({ message }) => message))];
  return messages.map((message) => {
    const cases = entries.filter((entry) => entry.message === message).map(({ caseKey }) => labels.of(caseKey));
    return `${named(cases)}: ${clippedLine(message, 400)}`;
  });
}

/** Cases of which the same is said; of very many the first twenty. */
function named(cases: readonly string[]): string {
  const more = cases.length > 20 ? [`${cases.length - 20} more`] : [];
  return [...cases.slice(0, 20), ...more].join('; ');
}

/** `api · /db/users: throughput, CPU`: why is said of all of them at once, but for what a metric needs for itself. */
function notMeasuredLines(
  entries: readonly GateEntry[],
  metricsOf: ReadonlyMap<string, Record<string, MetricComparison>>,
  labels: CaseLabels,
): string[] {
  return [...new Set(entries.map(({ caseKey }) => caseKey))].map((key) => {
    const names = entries.flatMap(({ caseKey, metric }) => {
      if (caseKey !== key || metric === null) return [];
      const note = metricsOf.get(key)?.[metric]?.evidence.note ?? null;
      return `${shortName(metric)}${note === null ? '' : ` (${clippedLine(note, 300)})`}`;
    });
    return `${labels.of(key)}: ${names.join(', ')}`;
  });
}

/** Whoever accepts gives one reason for many cases: `TLS everywhere: api · /ping · keep-alive on · 100 connections (throughput, CPU); …`. */
function acceptedLines(entries: readonly AcceptedEntry[], labels: CaseLabels): string[] {
  const reasons = [...new Set(entries.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const own = entries.filter((entry) => entry.reason === reason);
    const cases = [...new Set(own.map(({ caseKey }) => caseKey))].map((key) => {
      const metrics = own.flatMap(({ caseKey, metric }) =>
        caseKey === key && metric !== null ? shortName(metric) : [],
      );
      return `${labels.of(key)}${metrics.length === 0 ? '' : ` (${metrics.join(', ')})`}`;
    });
    return `${clippedLine(reason, 400)}: ${named(cases)}`;
  });
}

/** After the name of its case: `Throughput -3.8 %, corrected interval (-6.1 … -1.4), limit -5 %`. */
export function undecidedSaid(entry: GateEntry, metrics: Record<string, MetricComparison>): string {
  const compared = entry.metric !== null && Object.hasOwn(metrics, entry.metric) ? metrics[entry.metric] : undefined;
  // What is open of a metric that is decided is its level, or that it was not measured: the entry says so.
  if (compared?.verdict !== 'inconclusive' || entry.metric === null) return clippedLine(entry.message, 400);
  const { change, adjusted, evidence } = compared;
  const limit = limitFigure(entry.metric, compared);
  const parts = [
    `${metricTitle(entry.metric)}${change === null ? '' : ` ${changeFigure(entry.metric, compared)}`}`,
    ...(adjusted === null ? [] : [`corrected interval ${intervalText(adjusted)}`]),
    ...(limit === '' ? [] : [`limit ${limit}`]),
    ...(evidence.note === null ? [] : [clippedLine(evidence.note, 300)]),
  ];
  return parts.join(', ');
}
