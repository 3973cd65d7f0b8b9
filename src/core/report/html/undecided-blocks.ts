import type { Comparison, GateEntry } from '../../comparison/comparison.ts';
import type { CaseLabels } from '../comparison/case-labels.ts';
import { judgedIn } from '../comparison/endpoint-groups.ts';
import { undecidedSaid } from '../comparison/entries.ts';
import { shortName } from '../comparison/metric-words.ts';
import { undecidedEntries } from '../comparison/undecided-entries.ts';
import type { Block } from '../document.ts';

/** Lines that stand by themselves; more are folded, an endpoint each. */
const MOST_LINES = 3;

/** What is open, under the endpoint that it is of. */
export function undecidedBlocks(comparison: Comparison, labels: CaseLabels): Block[] {
  const entries = undecidedEntries(comparison);
  if (entries.length === 0) return [];
  const metricsOf = new Map(judgedIn(comparison).map(({ key, metrics }) => [key, metrics]));
  const said = (entry: GateEntry) => undecidedSaid(entry, metricsOf.get(entry.caseKey) ?? {}, labels);
  const title: Block = { kind: 'paragraph', text: [{ mark: 'undecided' }, ' ', { strong: 'Undecided:' }] };
  if (entries.length <= MOST_LINES) {
    return [title, { kind: 'list', items: entries.map((entry) => `${labels.of(entry.caseKey)}: ${said(entry)}`) }];
  }
  const groups = new Map<string, GateEntry[]>();
  for (const entry of entries) {
    const name = labels.short(entry.caseKey);
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return [
    title,
    ...[...groups].map(([name, own]): Block => {
      const metrics = [...new Set(own.flatMap(({ metric }) => (metric === null ? [] : shortName(metric))))];
      const summary = `${name}: ${own.length} undecided${metrics.length === 0 ? '' : ` (${metrics.join(', ')})`}`;
      const items = own.map((entry) => `${withoutStart(labels.of(entry.caseKey), name)}${said(entry)}`);
      return { kind: 'details', summary, blocks: [{ kind: 'list', items }] };
    }),
  ];
}

/** `keep-alive on · 100 connections: `, after the name of the endpoint. */
function withoutStart(label: string, start: string): string {
  if (label === start) return 'All cases: ';
  return `${label.startsWith(`${start} · `) ? label.slice(start.length + 3) : label}: `;
}
