import { clippedLine } from '../report/comparison/clipped-text.ts';
import type { Inline } from '../report/document.ts';
import { inlineMarkdown } from '../report/markdown/blocks.ts';
import { headlineMarkdown } from './run-text.ts';
import { statusContext } from './status-context.ts';

/** A spec that a pull request takes away or renames, as somebody accepted by its name, and why. */
export interface RemovedSpec {
  specName: string;
  reason: string;
}

export function removedHeadline({ reason }: RemovedSpec): Inline {
  return `Removed, and accepted (${clippedLine(reason)})`;
}

/** Markdown: its first line, and what stands under it. */
export function removedMarkdown(removed: RemovedSpec): { headline: string; body: string } {
  const text: Inline = [
    { strong: 'Check passed' },
    ' (',
    { code: statusContext(removed.specName) },
    '): this pull request has no such spec any more, and nothing is measured for it.',
  ];
  return {
    headline: headlineMarkdown({ mark: 'pass', headline: removedHeadline(removed) }),
    body: inlineMarkdown(text),
  };
}
