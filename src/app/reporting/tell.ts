import { inlineText } from '../../core/report/inline-text.ts';
import { headlineMarkdown, type RunText, runMarkdown, runText } from '../../core/reporting/run-text.ts';
import { missingStatus, statusContext, statusOf } from '../../core/reporting/status.ts';
import { type CommentSection, sectionLength } from '../../core/reporting/sticky-comment.ts';
import { jobSummary } from '../../core/reporting/summary.ts';
import {
  bySeverity,
  type FailOn,
  isChange,
  isFailure,
  type JudgedRun,
  type RunVerdict,
  runVerdict,
} from '../../core/reporting/verdict.ts';
import type { Check, WorkflowRun } from '../ports/forge.ts';
import type { Addressee } from './addressee.ts';
import { setStatuses } from './commit-status.ts';
import { withFallback } from './degrade.ts';
import { writeSticky } from './sticky-comment.ts';
import type { CommentWish, Teller } from './teller.ts';

export interface Tidings {
  judged: readonly JudgedRun[];
  missing: readonly { specName: string; why: string }[];
  addressee: Exclude<Addressee, { kind: 'nobody' }>;
  run: Pick<WorkflowRun, 'id' | 'attempt' | 'head' | 'url'>;
  fail: FailOn;
  /** Branch whose baseline the runs have become. */
  storedAs: string | null;
}

/** Comment, statuses, checks and summary, each by itself: what cannot be written costs none of the others. */
export async function tell(tidings: Tidings, teller: Teller): Promise<{ url: string | null }> {
  const texts = tidings.judged.map((judged) => ({ judged, text: runText(judged, tidings.storedAs) }));
  await teller.summary(jobSummary(tidings.judged, tidings.storedAs));
  const left = await statuses(tidings, texts, teller);
  // A later run has told of these.
  const own = texts.filter(({ judged }) => !left.has(statusContext(judged.record.spec.name)));
  if (teller.check) await checks(tidings, own, teller);
  return { url: await comment(tidings, texts, teller) };
}

/** In a comment that is there: that nothing was to be measured. */
export async function tellPassed(
  why: string,
  specNames: readonly string[],
  { addressee, run }: Pick<Tidings, 'addressee' | 'run'>,
  teller: Teller,
): Promise<void> {
  if (addressee.kind !== 'pull-request' || teller.comment === 'never' || specNames.length === 0) return;
  const headline = headlineMarkdown({ mark: 'none', headline: why, blocks: () => [] });
  const weight = bySeverity.indexOf('same');
  const own = {
    run: run.id,
    attempt: run.attempt,
    sha: run.head.sha,
    weight,
    headline,
    body: `[This run](${run.url})`,
  };
  const sections = specNames.map((specName) => ({ specName, ...own }));
  const { number } = addressee.pullRequest;
  const request = { pullRequest: number, sections, author: teller.author, create: false };
  await alone('The comment', teller, () => writeSticky(request, teller.forge));
}

interface Told {
  judged: JudgedRun;
  text: RunText;
}

/** Of a check run, in characters. https://docs.github.com/rest/checks/runs */
const LONGEST_CHECK = 65_000;

async function statuses({ missing, run, fail }: Tidings, texts: readonly Told[], teller: Teller): Promise<Set<string>> {
  const all = [
    ...texts.map(({ judged, text }) => statusOf(judged.record.spec.name, runVerdict(judged), text, fail)),
    ...missing.map(({ specName, why }) => missingStatus(specName, why)),
  ];
  return await setStatuses(all, run, teller);
}

async function checks({ run, fail }: Tidings, texts: readonly Told[], teller: Teller): Promise<void> {
  for (const { judged, text } of texts) {
    const check = {
      name: statusContext(judged.record.spec.name),
      conclusion: conclusionOf(runVerdict(judged), fail),
      title: inlineText(text.headline).slice(0, 250),
      summary: runMarkdown(text, LONGEST_CHECK),
    };
    await alone(`The check ${check.name}`, teller, () => teller.forge.createCheck(run.head.sha, check));
  }
}

function conclusionOf(verdict: RunVerdict, fail: FailOn): Check['conclusion'] {
  // What counts for nothing is no success, whatever fails a job.
  if (verdict === 'unverified' || isFailure(verdict, fail)) return 'failure';
  return verdict === 'inconclusive' || verdict === 'first-measurement' ? 'neutral' : 'success';
}

async function comment(tidings: Tidings, texts: readonly Told[], teller: Teller): Promise<string | null> {
  const { addressee, missing } = tidings;
  if (addressee.kind !== 'pull-request' || teller.comment === 'never') return null;
  const sections = [
    ...texts.map((told) => sectionOf(told, tidings, teller, texts.length + missing.length)),
    ...missing.map((each) => missingSection(each, tidings)),
  ];
  if (sections.length === 0) return null;
  const create = isWanted(tidings, teller.comment);
  const request = { pullRequest: addressee.pullRequest.number, sections, author: teller.author, create };
  const told = await alone('The comment', teller, () => writeSticky(request, teller.forge));
  return told === null || told.kind === 'quiet' ? null : told.url;
}

function isWanted({ judged, missing }: Tidings, wish: CommentWish): boolean {
  if (wish === 'always' || missing.length > 0) return true;
  const verdicts = judged.map(runVerdict);
  return wish === 'change' ? verdicts.some(isChange) : verdicts.some((verdict) => isFailure(verdict, 'inconclusive'));
}

function sectionOf({ judged, text }: Told, { run, addressee }: Tidings, teller: Teller, count: number): CommentSection {
  const { record } = judged;
  const { name } = record.spec;
  const verdict = runVerdict(judged);
  const page = teller.pageUrl(name, record.id);
  const links = [...(page === null ? [] : [`[Trend](${page})`]), `[This run](${run.url})`];
  const foot = `${links.join(' · ')}${verdict === 'regression' ? acceptance(addressee) : ''}`;
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

/** How to accept it. A line in a commit of a stranger's counts for nothing. */
function acceptance(addressee: Tidings['addressee']): string {
  const isStranger = addressee.kind === 'pull-request' && addressee.pullRequest.fromFork;
  const line = isStranger ? '' : ', or a line `Perf-Accept: CASES: REASON` in a commit message';
  return ` · Accept it: label \`perf-accepted\`${line}`;
}

function missingSection({ specName, why }: Tidings['missing'][number], { run }: Tidings): CommentSection {
  const headline = headlineMarkdown({ mark: 'invalid', headline: `Not measured: ${why}`, blocks: () => [] });
  const weight = bySeverity.indexOf('invalid');
  const own = { specName, run: run.id, attempt: run.attempt, sha: run.head.sha, weight };
  return { ...own, headline, body: `[This run](${run.url})` };
}

/** Null where it could not be written, which is told. */
function alone<T>(what: string, { warn }: Teller, write: () => Promise<T>): Promise<T | null> {
  return withFallback(null, `${what} cannot be written`, warn, write);
}
