import type {
  AcceptedEntry,
  CaseComparison,
  Comparison,
  GateEntry,
  MetricComparison,
} from '../../comparison/comparison.ts';
import type { Mark } from '../document.ts';
import type { CaseLabels } from './case-labels.ts';
import { changeFigure, limitFigure } from './change-figures.ts';
import { intervalSaid } from './change-table.ts';
import { clippedLine, clippedText } from './clipped-text.ts';
import { reasonSaid } from './deciding-line.ts';
import { placeOf as endpointPlace, judgedIn } from './endpoint-groups.ts';
import { inReportOrder, shortName } from './metric-words.ts';
import { undecidedEntries } from './undecided-entries.ts';

/** What the first line only counts, each with a sentence. */
export interface EntryList {
  title: string;
  mark: Mark;
  lines: string[];
}

/**
 * Those of the gate's lists that hold something. What is red stands in the table of changes. `open`: what of the undecided is listed
 * here, where there is a table of the rest.
 */
export function entryLists(
  comparison: Comparison,
  labels: CaseLabels,
  open: readonly GateEntry[] = undecidedEntries(comparison),
): EntryList[] {
  const { gate } = comparison;
  const metricsOf = new Map(judgedIn(comparison).map(({ key, metrics }) => [key, metrics]));
  const undecided = open.map(
    (entry) => `${labels.of(entry.caseKey)}: ${undecidedSaid(entry, metricsOf.get(entry.caseKey) ?? {}, labels)}`,
  );
  const lists: EntryList[] = [
    { title: 'Invalid', mark: 'invalid', lines: linesByMessage(gate.invalid, comparison, labels) },
    { title: 'Not measured', mark: 'invalid', lines: notMeasuredLines(gate.notMeasured, metricsOf, labels) },
    { title: 'Undecided', mark: 'undecided', lines: undecided },
    {
      title: 'Left out (same failure on both sides)',
      mark: 'none',
      lines: linesByMessage(gate.leftOut, comparison, labels),
    },
    { title: 'Accepted', mark: 'none', lines: acceptedLines(gate.accepted, labels) },
    { title: 'New', mark: 'none', lines: linesByMessage(gate.new, comparison, labels) },
  ];
  return lists.filter(({ lines }) => lines.length > 0);
}

/** One line for all cases of which the same is said, as of those of a service that does not start. */
function linesByMessage(entries: readonly GateEntry[], comparison: Comparison, labels: CaseLabels): string[] {
  const messages = [...new Set(entries.map(({ message }) => message))];
  return messages.map((message) => {
    const keys = entries.filter((entry) => entry.message === message).map(({ caseKey }) => caseKey);
    return `${named(placesOf(keys, comparison, labels))}: ${reasonSaid(message)}`;
  });
}

/** `api · all 12 cases`, `api · /db/users · all 4 cases` where that is what they are; else each by itself. */
function placesOf(keys: readonly string[], { cases }: Comparison, labels: CaseLabels): string[] {
  if (keys.length === 1) return keys.map(labels.of);
  const left = new Set(keys);
  const wholes = (nameOf: (each: CaseComparison) => string, placeOf: (each: CaseComparison) => string): string[] => {
    const groups = new Map<string, CaseComparison[]>();
    for (const each of cases) groups.set(placeOf(each), [...(groups.get(placeOf(each)) ?? []), each]);
    return [...groups.values()].flatMap((group) => {
      if (group.length === 1 || !group.every(({ key }) => left.has(key))) return [];
      for (const { key } of group) left.delete(key);
      return `${nameOf(group[0]!)} · all ${group.length} cases`;
    });
  };
  const services = wholes(
    ({ service }) => clippedText(service, 60),
    ({ service }) => service,
  );
  const endpoints = wholes(({ key }) => labels.short(key), endpointPlace);
  return [...services, ...endpoints, ...keys.filter((key) => left.has(key)).map((key) => labels.of(key))];
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

/** Whoever accepts gives one reason for many cases: `TLS everywhere: api · /ping (throughput, CPU); …`. */
function acceptedLines(entries: readonly AcceptedEntry[], labels: CaseLabels): string[] {
  const reasons = [...new Set(entries.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const own = entries.filter((entry) => entry.reason === reason);
    const cases = [...new Set(own.map(({ caseKey }) => labels.short(caseKey)))].map((name) => {
      const metrics = own.flatMap(({ caseKey, metric }) =>
        metric !== null && labels.short(caseKey) === name ? metric : [],
      );
      const names = inReportOrder(metrics).map(shortName).join(', ');
      return `${name}${names === '' ? '' : ` (${names})`}`;
    });
    return `${clippedLine(reason, 400)}: ${named(cases)}`;
  });
}

/** After the name of its case: `Throughput -3.8 % (-6.1 … -1.4), limit -5 %`. */
export function undecidedSaid(entry: GateEntry, metrics: Record<string, MetricComparison>, labels: CaseLabels): string {
  const compared = entry.metric !== null && Object.hasOwn(metrics, entry.metric) ? metrics[entry.metric] : undefined;
  // What is open of a metric that is decided is its level, or that it was not measured: the entry says so.
  if (compared?.verdict !== 'inconclusive' || entry.metric === null) return reasonSaid(entry.message);
  const { change, evidence } = compared;
  const limit = limitFigure(entry.metric, compared);
  const parts = [
    `${labels.metric(entry.metric)}${change === null ? '' : ` ${changeFigure(entry.metric, compared)}${intervalSaid(compared)}`}`,
    ...(limit === '' ? [] : [`limit ${limit}`]),
    ...(evidence.note === null ? [] : [clippedLine(evidence.note, 300)]),
  ];
  return parts.join(', ');
}
