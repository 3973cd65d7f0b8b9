import type { Comparison, GateEntry, MetricComparison } from '../../comparison/comparison.ts';
import { type Inline, left, type Row, right, type Table, withoutEmptyColumns } from '../document.ts';
import type { CaseLabels } from './case-labels.ts';
import { changeFigure, limitFigure } from './change-figures.ts';
import { intervalSaid } from './change-table.ts';
import { clippedLine } from './clipped-text.ts';
import { judgedIn, metricOf } from './endpoint-groups.ts';
import { narrowTitle } from './metric-words.ts';
import { undecidedEntries } from './undecided-entries.ts';

/** Changes of which the budget did not decide whether they are beyond their limit. `title`: that of a column of changes. */
export function undecidedTable(open: readonly OpenChange[], title: string, labels: CaseLabels): Table {
  const names = open.map(({ entry, metric }) => `${labels.short(entry.caseKey)}: ${narrowTitle(metric)}`);
  const rows = open.map(({ entry, metric, compared }): Row => {
    const note = compared.evidence.note === null ? '' : clippedLine(compared.evidence.note, 300);
    const change: Inline = [{ mark: 'undecided' }, ` ${changeFigure(metric, compared)}${intervalSaid(compared)}`];
    const short = `${labels.short(entry.caseKey)}: ${narrowTitle(metric)}`;
    const isOnly = names.filter((name) => name === short).length === 1;
    const where = isOnly ? short : `${labels.of(entry.caseKey)}: ${narrowTitle(metric)}`;
    return { tone: 'plain', cells: [where, change, limitFigure(metric, compared), note] };
  });
  const columns = [left('Undecided'), left(title), right('Limit'), left('Why')];
  return withoutEmptyColumns({ label: 'Undecided', columns, rows, stacks: true }, '');
}

export interface OpenChange {
  entry: GateEntry;
  metric: string;
  compared: MetricComparison;
}

/** In the order of the gate. */
export function undecidedChanges(comparison: Comparison): OpenChange[] {
  const byKey = new Map(judgedIn(comparison).map((each) => [each.key, each]));
  return undecidedEntries(comparison).flatMap((entry): OpenChange[] => {
    const each = byKey.get(entry.caseKey);
    const compared = each === undefined || entry.metric === null ? null : metricOf(each, entry.metric);
    return compared?.verdict === 'inconclusive' ? [{ entry, metric: entry.metric!, compared }] : [];
  });
}
