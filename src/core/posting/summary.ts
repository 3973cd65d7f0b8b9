import type { Reported } from './introduction.ts';
import { type LostRun, lostMarkdown } from './lost-run.ts';
import { headlineMarkdown, runMarkdown, runText } from './run-text.ts';
import type { JudgedRun } from './verdict.ts';

/** A step's summary takes a megabyte. https://docs.github.com/actions/reference/workflow-commands */
const LONGEST_SUMMARY = 900_000;

/**
 * Markdown of all specs' runs for a job's summary, and of those that were not measured, each under its verdict. `footOf`: Markdown of the
 * links of a run; empty where there are none.
 */
export function jobSummary(
  runs: readonly JudgedRun[],
  reported: Reported,
  lost: readonly LostRun[] = [],
  footOf: (judged: JudgedRun) => string = () => '',
): string {
  const longest = Math.floor(LONGEST_SUMMARY / Math.max(1, runs.length));
  const sections = runs.map((judged) => {
    const text = runText(judged, reported);
    return [`## ${headlineMarkdown(text)}`, runMarkdown(text, longest), footOf(judged)];
  });
  const unmeasured = lost.map((each) => {
    const { headline, body } = lostMarkdown(each, reported.fail);
    return [`## ${headline}`, body];
  });
  return [...sections, ...unmeasured]
    .map((parts) => `${parts.filter((part) => part !== '').join('\n\n')}\n`)
    .join('\n');
}
