import { shortSha } from '../baseline/commit.ts';
import type { ComparedSide, Comparison } from '../comparison/comparison.ts';
import { clippedLine } from '../report/comparison/clipped-text.ts';
import { isMeasured } from '../report/comparison/judged-figures.ts';
import { hasFigures } from '../report/comparison/measured.ts';
import type { Inline } from '../report/document.ts';
import { PROJECT_URL } from '../report/links.ts';
import { contextOfEvent, statusContext } from './status-context.ts';
import { type FailOn, isFailing, type JudgedRun, type RunVerdict, runVerdict } from './verdict.ts';

/** What a run is reported with, beside what it found. */
export interface Reported {
  /** Branch whose baseline the run has become; null where it is kept nowhere. */
  storedAs: string | null;
  /** What fails a job. */
  fail: FailOn;
  /** Head of the pull request, where what was measured is its merge. */
  head?: string;
  /** That the run is of: a scheduled one has a status of its own. */
  event?: string;
}

const TOOL: Inline = { url: PROJECT_URL, text: 'wrkbench' };

/**
 * Under the first line, for who meets it for the first time: what follows for the pull request, what compared which commits, and where
 * it is undecided whether that blocks. Each is a paragraph.
 */
export function introduction(judged: JudgedRun, reported: Reported): Inline[] {
  const verdict = runVerdict(judged);
  const text: Inline = [
    { strong: outcome(verdict, reported.fail) },
    ' (',
    { code: contextOfEvent(statusContext(judged.record.spec.name), reported.event ?? '') },
    '): ',
    ...whatRan(judged, reported),
  ];
  return verdict === 'inconclusive' ? [text, undecidedSaid(reported.fail)] : [text];
}

/** The same of a spec of which there is no run. */
export function introductionWithoutRun(specName: string, fail: FailOn, event = ''): Inline {
  const failed = fail === 'never' ? 'Nothing was measured' : 'Check failed';
  const context = contextOfEvent(statusContext(specName), event);
  return [{ strong: failed }, ' (', { code: context }, '): ', TOOL, ' could not measure this spec.'];
}

function outcome(verdict: RunVerdict, fail: FailOn): string {
  const failing = isFailing(verdict, fail);
  if (verdict === 'inconclusive') return failing ? 'Could not tell; check failed' : 'Could not tell; check passed';
  if (failing) return 'Check failed';
  const isRed = ['regression', 'invalid', 'not-measured'].includes(verdict);
  return isRed ? 'Check passed, because nothing fails it (fail: never)' : 'Check passed';
}

function undecidedSaid(fail: FailOn): Inline {
  return isFailing('inconclusive', fail)
    ? ['An undecided result blocks here, because of ', { code: 'fail: inconclusive' }, '.']
    : ['An undecided result does not block; it would with ', { code: 'fail: inconclusive' }, '.'];
}

function whatRan({ record, comparison }: JudgedRun, { head }: Reported): Inline[] {
  if (comparison === null) {
    const candidate = commitSaid(record.source.sha, 'the files as they were', head);
    return hasFigures(record)
      ? [TOOL, ' load-tested ', ...candidate, ', and had nothing to compare it with.']
      : [TOOL, ' could not load-test ', ...candidate, ': nothing was measured.'];
  }
  const [candidate, baseline] = [sideSaid(comparison.candidate, head), sideSaid(comparison.baseline)];
  if (comparison.skipped !== null) return [TOOL, ' measured nothing of ', ...candidate, ' against ', ...baseline, '.'];
  if (!isMeasured(comparison))
    return [TOOL, ' could not load-test ', ...candidate, ' against ', ...baseline, ': nothing was measured.'];
  return [TOOL, loaded(comparison), ...candidate, ' against ', ...baseline, '.'];
}

function loaded({ mode }: Comparison): string {
  return mode === 'stored' ? ' load-tested and compared ' : ' load-tested ';
}

/** `3f2c1ab (merge-base with main)`; how it was had where it is no commit. */
function sideSaid({ sha, origin }: ComparedSide, head?: string): Inline[] {
  const [, why] = /\(([^()]{1,80})\)/.exec(origin.slice(0, 400)) ?? [];
  // Of a merge it is said in brackets already which it is.
  const isMerge = head !== undefined && sha !== null && head !== sha;
  const note = why === undefined || isMerge ? '' : ` (${clippedLine(why, 80)})`;
  return [...commitSaid(sha, clippedLine(origin, 120), head), note];
}

function commitSaid(sha: string | null, otherwise: string, head?: string): Inline[] {
  if (sha === null || !/^[0-9a-f]{7,64}$/.test(sha)) return [otherwise];
  const merge = { code: shortSha(sha) };
  return head === undefined || head === sha ? [merge] : [{ code: shortSha(head) }, ' (merged: ', merge, ')'];
}
