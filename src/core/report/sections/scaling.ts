import { absent, counted, factor, grouped, throughput } from '../../format/figures.ts';
import { scalings, validFigure } from '../analysis/scaling.ts';
import { type Block, left, type Row, right, type Section } from '../document.ts';
import { toneOf } from '../panels.ts';
import type { ReportView } from '../view.ts';
import { endpointTitle, entryTitle, modeOf } from '../wording.ts';
import { scalingSentences } from './scaling-sentences.ts';

/** What more connections bring each service. */
export function scaling(view: ReportView): Section | null {
  const named = view.generators.length > 1;
  const blocks = scalings(view.tests).flatMap((found): Block[] => {
    const { test, connections, rows: own } = found;
    const title = `${endpointTitle(test)}${named ? `, ${test.generator}` : ''}, ${modeOf(test)}`;
    const [fewest, most] = [connections[0]!, connections.at(-1)!];
    const columns = [
      left('Service'),
      ...connections.map((number) => right(counted(number, 'connection'))),
      right(`${grouped(most)} / ${grouped(fewest)}`),
    ];
    const rows = own.map(({ entries }): Row => {
      const figures = entries.map((entry) => validFigure(entry, 'throughput'));
      const known = entries.findLast((entry) => entry?.valid)!;
      const [first, last] = [figures[0] ?? null, figures.at(-1) ?? null];
      const grown = first === null || last === null || first === 0 ? absent : factor(last / first);
      const cells = figures.map((value) => (value === null ? absent : throughput(value)));
      return { tone: toneOf(known, false), cells: [entryTitle({ ...known, warnings: [] }), ...cells, grown] };
    });
    const sentences = scalingSentences(found);
    return [
      { kind: 'caption', text: `${title}:` },
      { kind: 'table', table: { label: `Connection scaling: ${title}`, columns, rows } },
      ...(sentences.length === 0 ? [] : [{ kind: 'list' as const, items: sentences }]),
    ];
  });
  if (blocks.length === 0) return null;
  const text = 'Requests per second by the number of connections, and what the most bring as a multiple of the fewest.';
  return { id: 'scaling', title: 'Connection scaling', blocks: [{ kind: 'paragraph', text }, ...blocks] };
}
