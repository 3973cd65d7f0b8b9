import type { Reported } from './introduction.ts';
import { type LostRun, lostMarkdown } from './lost-run.ts';
import { type RemovedSpec, removedMarkdown } from './removed-spec.ts';
import { headlineMarkdown, runMarkdown, runText } from './run-text.ts';
import type { JudgedRun } from './verdict.ts';

/** A step's summary takes a megabyte. https://docs.github.com/actions/reference/workflow-commands */
const LONGEST_SUMMARY = 900_000;

interface SummaryOptions {
  /** Specs that are gone, as somebody accepted. */
  removed?: readonly RemovedSpec[];
  /** Markdown of the links of a run; empty where there are none. */
  footOf?(judged: JudgedRun): string;
}

/** Markdown of all specs' runs for a job's summary, and of those that were not measured, each under its verdict. */
export function jobSummary(
  runs: readonly JudgedRun[],
  reported: Reported,
  lost: readonly LostRun[] = [],
  { removed = [], footOf = () => '' }: SummaryOptions = {},
): string {
  const longest = Math.floor(LONGEST_SUMMARY / Math.max(1, runs.length));
  const sections = runs.map((judged) => {
    const text = runText(judged, reported);
    return [`## ${headlineMarkdown(text)}`, runMarkdown(text, longest), footOf(judged)];
  });
  const unmeasured = [
    ...lost.map((each) => lostMarkdown(each, reported.fail, reported.event)),
    ...removed.map(removedMarkdown),
  ];
  return [...sections, ...unmeasured.map(({ headline, body }) => [`## ${headline}`, body])]
    .map((parts) => `${parts.filter((part) => part !== '').join('\n\n')}\n`)
    .join('\n');
}
