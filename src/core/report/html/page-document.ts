import type { Comparison } from '../../comparison/comparison.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { endpointsByVerdict } from '../comparison/by-verdict.ts';
import type { Block, ReportDocument, Section } from '../document.ts';
import { reportDocument } from '../sections/index.ts';
import { viewOf } from '../view.ts';
import { pageComparison } from './comparison-blocks.ts';
import { endpointsSection } from './endpoints.ts';

/** The report as the page arranges it: what decides first, the charts, the results, and what is rarely read folded. */
export interface PageDocument extends Omit<ReportDocument, 'sections'> {
  /** Before the charts. */
  leading: Section[];
  following: Section[];
  folded: Section[];
}

/** The order of a reader's questions; all else is folded. */
const LEADING = ['comparison', 'summary', 'ranking', 'endpoints', 'warnings'];
const FOLLOWING = ['capacity', 'results', 'errors'];

export function pageDocument(record: RunRecord, comparison: Comparison | null): PageDocument {
  const first = endpointsByVerdict(comparison);
  const { sections, ...report } = reportDocument(record, comparison, { first, comparing: pageComparison });
  // A comparison has a table of the endpoints already.
  const endpoints = comparison === null ? endpointsSection(viewOf(record)) : null;
  const all = endpoints === null ? sections : [...sections, endpoints];
  const named = (ids: readonly string[]) => ids.flatMap((id) => all.filter((section) => section.id === id));
  return {
    ...report,
    leading: named(LEADING),
    following: named(FOLLOWING).map((section) => ({ ...section, blocks: foldedByHeading(section.blocks) })),
    folded: all.filter(({ id }) => ![...LEADING, ...FOLLOWING].includes(id)),
  };
}

/** What stands under each heading, folded under it; a single one stays as it is. */
function foldedByHeading(blocks: Block[]): Block[] {
  const starts = blocks.flatMap(({ kind }, index) => (kind === 'heading' ? index : []));
  if (starts.length < 2) return blocks;
  const groups = starts.map((start, index): Block => {
    const [heading, ...own] = blocks.slice(start, starts[index + 1]);
    return { kind: 'details', summary: heading?.kind === 'heading' ? heading.text : '', blocks: own };
  });
  return [...blocks.slice(0, starts[0]), ...groups];
}
