import type { Comparison } from '../../comparison/comparison.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { reportDocument } from '../sections/index.ts';
import { blockMarkdown, inlineMarkdown, lineMarkdown } from './blocks.ts';

/** `report.md`, in GitHub's Markdown. */
export function markdown(record: RunRecord, comparison: Comparison | null = null): string {
  const report = reportDocument(record, comparison);
  const verdict = report.mark === null ? [] : [{ mark: report.mark }, ' '];
  const parts = [`# ${inlineMarkdown(report.title)}`, lineMarkdown([...verdict, report.headline])];
  report.sections.forEach(({ title, blocks }, index) => {
    // The first section needs no heading of its own under the title.
    if (index > 0) parts.push('---', `## ${inlineMarkdown(title)}`);
    parts.push(...blocks.map(blockMarkdown).filter((each) => each !== ''));
  });
  return `${parts.join('\n\n')}\n`;
}
