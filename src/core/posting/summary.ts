import { clippedLine } from '../report/comparison/clipped-text.ts';
import { escapeText } from '../report/markdown/escape.ts';
import { headlineMarkdown, runMarkdown, runText } from './run-text.ts';
import type { JudgedRun } from './verdict.ts';

/** A step's summary takes a megabyte. https://docs.github.com/actions/reference/workflow-commands */
const LONGEST_SUMMARY = 900_000;

/** Markdown of all specs' runs for a job's summary, and of those that were not measured. `storedAs`: as `runText` has it. */
export function jobSummary(
  runs: readonly JudgedRun[],
  storedAs: string | null,
  lost: readonly { specName: string; why: string }[] = [],
): string {
  const longest = Math.floor(LONGEST_SUMMARY / Math.max(1, runs.length));
  const sections = runs.map((judged) => {
    const text = runText(judged, storedAs);
    const name = escapeText(judged.record.spec.name);
    return `## ${name}\n\n${headlineMarkdown(text)}\n\n${runMarkdown(text, longest)}\n`;
  });
  const unmeasured = lost.map(({ specName, why }) => {
    const headline = headlineMarkdown({ mark: 'invalid', headline: `Not measured: ${clippedLine(why, 400)}` });
    return `## ${escapeText(specName)}\n\n${headline}\n`;
  });
  return [...sections, ...unmeasured].join('\n');
}
