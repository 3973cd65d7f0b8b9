import type { Comparison } from '../../core/comparison/comparison.ts';
import { type LostRun, lostMarkdown } from '../../core/posting/lost-run.ts';
import { type RemovedSpec, removedMarkdown } from '../../core/posting/removed-spec.ts';
import { linksMarkdown, type RunLinks } from '../../core/posting/run-links.ts';
import { headlineMarkdown, type RunText, runMarkdown, runText } from '../../core/posting/run-text.ts';
import { missingStatus, removedStatus, statusOf } from '../../core/posting/status.ts';
import { contextOfEvent, statusContext } from '../../core/posting/status-context.ts';
import { type CommentSection, sectionLength } from '../../core/posting/sticky-comment.ts';
import { jobSummary } from '../../core/posting/summary.ts';
import {
  bySeverity,
  type FailOn,
  isChange,
  isFailing,
  isFailure,
  type JudgedRun,
  type RunVerdict,
  runVerdict,
} from '../../core/posting/verdict.ts';
import { inlineText } from '../../core/report/inline-text.ts';
import type { Check, WorkflowRun } from '../ports/forge.ts';
import { withoutUncompared } from './branch-status.ts';
import { checkAnnotations } from './check-annotations.ts';
import { setStatuses } from './commit-status.ts';
import { withFallback } from './degrade.ts';
import { markOf, type Recipient } from './recipient.ts';
import type { CommentWish, Reporter } from './reporter.ts';
import { writeSticky } from './sticky-comment.ts';
import { type WaysToAccept, waysText, waysToAccept } from './ways-to-accept.ts';

export interface Notification {
  judged: readonly JudgedRun[];
  missing: readonly LostRun[];
  removed: readonly RemovedSpec[];
  recipient: Exclude<Recipient, { kind: 'nobody' }>;
  run: Pick<WorkflowRun, 'id' | 'attempt' | 'event' | 'path' | 'head' | 'url'>;
  fail: FailOn;
  /** Branch whose baseline the runs have become. */
  storedAs: string | null;
  /** By the name of a spec, the artifact that its files are in. */
  artifacts: ReadonlyMap<string, number>;
}

/** Comment, statuses, checks and summary, each by itself: what cannot be written costs none of the others. */
export async function notify(notification: Notification, reporter: Reporter): Promise<{ url: string | null }> {
  const { storedAs, fail, run, removed } = notification;
  const reported = { storedAs, fail, head: run.head.sha, event: run.event };
  const texts = notification.judged.map((judged) => ({ judged, text: runText(judged, reported) }));
  const links = await linksOf(notification, reporter);
  const footOf = ({ record }: JudgedRun) => linksMarkdown(links.get(record.spec.name)!);
  await reporter.summary(jobSummary(notification.judged, reported, notification.missing, { removed, footOf }));
  const left = await statuses(notification, texts, reporter);
  // A later run has reported these.
  const own = texts.filter(({ judged }) => !left.has(statusContext(judged.record.spec.name)));
  if (reporter.check) await checks(notification, own, reporter);
  return { url: await comment(notification, texts, links, reporter) };
}

/** In a comment that is there: that nothing was to be measured. */
export async function reportPassed(
  why: string,
  specNames: readonly string[],
  { recipient, run }: Pick<Notification, 'recipient' | 'run'>,
  reporter: Reporter,
): Promise<void> {
  if (recipient.kind !== 'pull-request' || reporter.comment === 'never' || specNames.length === 0) return;
  const headline = headlineMarkdown({ mark: 'none', headline: why });
  const weight = bySeverity.indexOf('same');
  const own = {
    run: run.id,
    attempt: run.attempt,
    sha: run.head.sha,
    weight,
    headline,
    body: linksMarkdown({ report: null, trend: null, run: run.url }),
  };
  const sections = specNames.map((specName) => ({ specName, ...own }));
  const { number } = recipient.pullRequest;
  const request = { pullRequest: number, sections, author: reporter.author, create: false };
  await attempted('The comment', reporter, () => writeSticky(request, reporter.forge));
}

interface JudgedText {
  judged: JudgedRun;
  text: RunText;
}

/** Of a check run, in characters. https://docs.github.com/rest/checks/runs */
const LONGEST_CHECK = 65_000;

async function statuses(
  { missing, removed, recipient, run, fail }: Notification,
  texts: readonly JudgedText[],
  reporter: Reporter,
): Promise<Set<string>> {
  const mark = markOf(recipient, null);
  const all = [
    ...texts.map(({ judged, text }) =>
      statusOf(judged.record.spec.name, runVerdict(judged), text, fail, markOf(recipient, judged.comparison)),
    ),
    ...missing.map(({ specName, why }) => missingStatus(specName, why, mark)),
    ...removed.map((each) => removedStatus(each, mark)),
  ];
  const own = await withoutUncompared(all, { recipient, run }, reporter);
  const left = await setStatuses(own, run, reporter);
  return new Set([...left, ...all.filter((status) => !own.includes(status)).map(({ context }) => context)]);
}

async function checks({ run, fail }: Notification, texts: readonly JudgedText[], reporter: Reporter): Promise<void> {
  for (const { judged, text } of texts) {
    const check = {
      name: contextOfEvent(statusContext(judged.record.spec.name), run.event),
      conclusion: conclusionOf(runVerdict(judged), fail),
      title: inlineText(text.headline).slice(0, 250),
      summary: runMarkdown(text, LONGEST_CHECK),
      annotations: await checkAnnotations(judged, run, reporter),
    };
    await attempted(`The check ${check.name}`, reporter, () => reporter.forge.createCheck(run.head.sha, check));
  }
}

function conclusionOf(verdict: RunVerdict, fail: FailOn): Check['conclusion'] {
  if (isFailing(verdict, fail)) return 'failure';
  return verdict === 'inconclusive' || verdict === 'first-measurement' ? 'neutral' : 'success';
}

async function comment(
  notification: Notification,
  texts: readonly JudgedText[],
  links: ReadonlyMap<string, RunLinks>,
  reporter: Reporter,
): Promise<string | null> {
  const { recipient, missing, removed } = notification;
  if (recipient.kind !== 'pull-request' || reporter.comment === 'never') return null;
  const isRed = texts.some(({ judged }) => isFailure(runVerdict(judged), 'inconclusive'));
  const ways = isRed ? await waysToAccept(recipient.pullRequest, reporter.forge) : null;
  const count = texts.length + missing.length + removed.length;
  const sections = [
    ...texts.map((each) => sectionOf(each, notification, links, { count, ways })),
    ...missing.map((each) => missingSection(each, notification)),
    ...removed.map((each) => shortSection(each.specName, 'accepted', removedMarkdown(each), notification)),
  ];
  if (sections.length === 0) return null;
  const create = isWanted(notification, reporter.comment);
  const request = { pullRequest: recipient.pullRequest.number, sections, author: reporter.author, create };
  const written = await attempted('The comment', reporter, () => writeSticky(request, reporter.forge));
  return written === null || written.kind === 'quiet' ? null : written.url;
}

function isWanted({ judged, missing, removed }: Notification, wish: CommentWish): boolean {
  if (wish === 'always' || missing.length > 0) return true;
  const verdicts = [...judged.map(runVerdict), ...removed.map(() => 'accepted' as const)];
  return wish === 'change' ? verdicts.some(isChange) : verdicts.some((verdict) => isFailure(verdict, 'inconclusive'));
}

function sectionOf(
  { judged, text }: JudgedText,
  notification: Notification,
  allLinks: ReadonlyMap<string, RunLinks>,
  { count, ways }: { count: number; ways: WaysToAccept | null },
): CommentSection {
  const { record } = judged;
  const { name } = record.spec;
  const verdict = runVerdict(judged);
  const { run } = notification;
  const links = linksMarkdown(allLinks.get(name)!);
  const foot = `${links}${ways === null ? '' : acceptance(judged, verdict, ways)}`;
  return {
    specName: name,
    run: run.id,
    attempt: run.attempt,
    sha: run.head.sha,
    weight: bySeverity.indexOf(verdict),
    headline: headlineMarkdown(text),
    body: `${runMarkdown(text, sectionLength(count) - foot.length)}\n\n${foot}`,
  };
}

/** By the name of a spec. */
async function linksOf({ judged, run, artifacts }: Notification, reporter: Reporter): Promise<Map<string, RunLinks>> {
  const found = new Map<string, RunLinks>();
  for (const { record } of judged) {
    const { name } = record.spec;
    const artifact = artifacts.get(name);
    const report = artifact === undefined ? null : reporter.artifactUrl(run, artifact);
    found.set(name, { report, trend: await reporter.pageLinks.url(name), run: run.url });
  }
  return found;
}

/** How to accept it; empty where there is nothing to accept, or no way that counts. */
function acceptance({ comparison }: JudgedRun, verdict: RunVerdict, ways: WaysToAccept): string {
  const isRemoved = comparison?.gate.invalid.some(({ caseKey }) => isMissingIn(comparison, caseKey)) ?? false;
  if (verdict !== 'regression' && !isRemoved) return '';
  // Nobody accepts unseen that something is no longer measured.
  const text = waysText(ways, 'CASES', isRemoved ? 'CASES' : null);
  return text === '' ? '' : ` · Accept it: ${text}`;
}

function isMissingIn({ cases }: Comparison, caseKey: string): boolean {
  return cases.some(({ key, presence }) => key === caseKey && presence === 'missing');
}

function missingSection(lost: LostRun, notification: Notification): CommentSection {
  return shortSection(lost.specName, 'invalid', lostMarkdown(lost, notification.fail), notification);
}

/** Of a spec without a run. */
function shortSection(
  specName: string,
  verdict: RunVerdict,
  { headline, body }: { headline: string; body: string },
  { run }: Notification,
): CommentSection {
  const own = { specName, run: run.id, attempt: run.attempt, sha: run.head.sha, weight: bySeverity.indexOf(verdict) };
  return { ...own, headline, body: `${body}\n\n${linksMarkdown({ report: null, trend: null, run: run.url })}` };
}

/** Null where it could not be written, which is reported as a warning. */
function attempted<T>(what: string, { warn }: Reporter, write: () => Promise<T>): Promise<T | null> {
  return withFallback(null, `${what} cannot be written`, warn, write);
}
