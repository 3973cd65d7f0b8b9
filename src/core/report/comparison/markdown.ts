import type { Comparison } from '../../comparison/comparison.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { blockMarkdown, inlineMarkdown } from '../markdown/blocks.ts';
import { comparisonBlocks, type Extent, everything } from './blocks.ts';
import { headline } from './headline.ts';

/** Characters of a comment, a step's summary line or a check that GitHub takes. */
export const longestComment = 65_536;

/**
 * What a pull request's reader sees: the verdict as a heading, what changed, where it went, and the rest folded away.
 * Shorter than `longestComment` however many cases there are: then it shows the worst and says how many more there are.
 * `record` is the candidate's; null where there is none at hand.
 */
export function comparisonMarkdown(comparison: Comparison, record: RunRecord | null): string {
  let text = '';
  for (const extent of extents) {
    text = withExtent(comparison, record, extent);
    if (text.length < longestComment) break;
  }
  return text;
}

/** Tried in turn. The last is short whatever the names are: each is cut. */
const extents: Extent[] = [
  everything,
  ...[400, 200, 100, 50, 25, 10].map((cases) => ({ cases, listed: 10 })),
  { cases: 5, listed: 3 },
  { cases: 2, listed: 1 },
];

function withExtent(comparison: Comparison, record: RunRecord | null, extent: Extent): string {
  const { mark, text } = headline(comparison, record);
  const title = `### ${inlineMarkdown([{ mark }, ' ', text])}`;
  const blocks = comparisonBlocks(comparison, record, extent).map(blockMarkdown);
  return `${[title, ...blocks.filter((each) => each !== '')].join('\n\n')}\n`;
}
