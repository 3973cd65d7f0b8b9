import { type Block, type Inline, left, type Row, type Section } from '../document.ts';
import type { ReportView } from '../view.ts';
import { longTest } from '../wording.ts';

/** Where every figure comes from. */
export function rawData(view: ReportView): Section {
  const rows = view.tests.flatMap((test) =>
    test.entries.flatMap(({ record, label }): Row[] =>
      record.raw.length === 0 ? [] : [{ tone: 'plain', cells: [label, longTest(test), linksOf(record.raw)] }],
    ),
  );
  const text: Inline = [
    { file: 'run.json', text: 'run.json' },
    ' holds every figure with its samples, ',
    { file: 'journal.jsonl', text: 'journal.jsonl' },
    ' each trial as it was measured.',
  ];
  const blocks: Block[] = [{ kind: 'paragraph', text }];
  if (rows.length > 0) {
    const columns = [left('Service'), left('Case'), left('Files')];
    const table = { label: 'Generator outputs', columns, rows };
    blocks.push({ kind: 'details', summary: 'Generator outputs, as they came', blocks: [{ kind: 'table', table }] });
  }
  return { id: 'raw', title: 'Raw data', blocks };
}

function linksOf(paths: string[]): Inline {
  return paths.flatMap((path, index): Inline[] => {
    const ending = /\.\w+$/.exec(path)?.[0] ?? '';
    return [...(index > 0 ? [', '] : []), isOurs(path) ? { file: path, text: `${index + 1}${ending}` } : path];
  });
}

/** Within the run's own folder: nothing that climbs out of it or names a scheme. */
function isOurs(path: string): boolean {
  return path.startsWith('raw/') && !path.split(/[/\\]/).includes('..');
}
