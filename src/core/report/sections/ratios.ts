import { absent, factor, share } from '../../format/figures.ts';
import { type Pair, pairs, sharesOfReferences } from '../analysis/pairs.ts';
import { type Block, left, right, type Section } from '../document.ts';
import type { ReportView, Test } from '../view.ts';
import { endpointTitle, shortTest } from '../wording.ts';

/** How many times the requests of one service another answers. */
export function ratios(view: ReportView): Section | null {
  const blocks = byEndpoint(view).flatMap(({ title, tests }) =>
    pairTable(
      title,
      'How many times the throughput',
      tests,
      pairs(tests),
      ({ numerator, denominator }) => `${numerator} / ${denominator}`,
      factor,
    ),
  );
  if (blocks.length === 0) return null;
  const text = 'Throughput of the first as a multiple of the second, of valid cases.';
  return { id: 'ratios', title: 'Service against service', blocks: [{ kind: 'paragraph', text }, ...blocks] };
}

/** What part of a reference's throughput each service reaches. */
export function referenceShares(view: ReportView): Section | null {
  const blocks = byEndpoint(view).flatMap(({ title, tests }) =>
    pairTable(
      title,
      'Share of the reference',
      tests,
      sharesOfReferences(tests),
      ({ numerator, denominator }) => `${numerator} of ${denominator}`,
      share,
    ),
  );
  if (blocks.length === 0) return null;
  const text = 'A reference only calibrates: what the machine, the network and the generator allow for.';
  return { id: 'references', title: 'Against the reference', blocks: [{ kind: 'paragraph', text }, ...blocks] };
}

function byEndpoint(view: ReportView): { title: string; tests: Test[] }[] {
  const titles = new Map<string, Test[]>();
  for (const test of view.tests.filter(({ openModel }) => !openModel)) {
    const title = `${endpointTitle(test)}${view.generators.length > 1 ? `, ${test.generator}` : ''}`;
    titles.set(title, [...(titles.get(title) ?? []), test]);
  }
  return [...titles].map(([title, tests]) => ({ title, tests }));
}

function pairTable(
  title: string,
  what: string,
  tests: Test[],
  found: Pair[],
  name: (pair: Pair) => string,
  format: (ratio: number) => string,
): Block[] {
  if (found.length === 0) return [];
  const table = {
    label: `${what}, ${title}`,
    columns: [left('Services'), ...tests.map((test) => right(shortTest(test)))],
    rows: found.map((pair) => ({
      tone: 'plain' as const,
      cells: [name(pair), ...pair.ratios.map((ratio) => (ratio === null ? absent : format(ratio)))],
    })),
  };
  return [
    { kind: 'caption', text: `${title}:` },
    { kind: 'table', table },
  ];
}
