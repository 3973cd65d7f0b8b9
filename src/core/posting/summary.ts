import { escapeText } from '../report/markdown/escape.ts';
import { headlineMarkdown, runMarkdown, runText } from './run-text.ts';
import type { JudgedRun } from './verdict.ts';

/** A step's summary takes a megabyte. https://docs.github.com/actions/reference/workflow-commands */
const LONGEST_SUMMARY = 900_000;

/** Markdown of all specs' runs for a job's summary. `storedAs`: as `runText` has it. */
export function jobSummary(runs: readonly JudgedRun[], storedAs: string | null): string {
  const longest = Math.floor(LONGEST_SUMMARY / Math.max(1, runs.length));
  const sections = runs.map((judged) => {
    const text = runText(judged, storedAs);
    const name = escapeText(judged.record.spec.name);
    return `## ${name}\n\n${headlineMarkdown(text)}\n\n${runMarkdown(text, longest)}\n`;
  });
  return sections.join('\n');
}
