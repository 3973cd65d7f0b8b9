import { absent, failureShare, grouped } from '../../format/figures.ts';
import { errorKinds, MOST_KINDS } from '../analysis/error-kinds.ts';
import { type Block, left, type Row, right, type Section, withoutEmptyColumns } from '../document.ts';
import { toneOf } from '../panels.ts';
import type { ReportView } from '../view.ts';
import { caseNotes, longTest } from '../wording.ts';

/** How requests failed, of every case in which some did: few enough failures leave a case valid. */
export function errors(view: ReportView): Section | null {
  const counts = new Map<string, number>();
  for (const { kind, count } of view.cases.flatMap(errorKinds)) counts.set(kind, (counts.get(kind) ?? 0) + count);
  if (counts.size === 0) return null;
  const kinds = [...counts].sort(([, one], [, other]) => other - one).map(([kind]) => kind);
  const named = kinds.slice(0, MOST_KINDS);
  const rows = view.tests.flatMap((test) =>
    test.entries.flatMap((entry): Row[] => {
      const found = errorKinds(entry.record);
      if (found.length === 0) return [];
      const { requests } = entry.record.reported!;
      const sum = (which: (kind: string) => boolean) =>
        found.reduce((total, { kind, count }) => total + (which(kind) ? count : 0), 0);
      const figure = (count: number) => (count === 0 ? absent : grouped(count));
      const all = sum(() => true);
      return [
        {
          tone: toneOf(entry, false),
          cells: [
            `${entry.label}${caseNotes(entry)}`,
            longTest(test),
            requests === undefined ? absent : grouped(requests),
            ...named.map((kind) => figure(sum((own) => own === kind))),
            figure(sum((own) => !named.includes(own))),
            requests === undefined || requests <= 0 ? absent : failureShare(all / requests),
          ],
        },
      ];
    }),
  );
  const columns = [
    left('Service'),
    left('Case'),
    right('Requests'),
    ...named.map((kind) => right(`${kind.charAt(0).toUpperCase()}${kind.slice(1)}`)),
    right('Other kinds'),
    right('Of the requests'),
  ];
  const text = 'How requests failed, by the kinds that the generator distinguishes. A case without a row had no error.';
  const blocks: Block[] = [
    { kind: 'paragraph', text },
    { kind: 'table', table: withoutEmptyColumns({ label: 'Errors by kind', columns, rows }, absent) },
  ];
  return { id: 'errors', title: 'Errors by kind', blocks };
}
