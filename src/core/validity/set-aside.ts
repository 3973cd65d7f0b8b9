import type { Case } from '../config/case.ts';
import { counted, grouped } from '../format/figures.ts';
import type { TrialMeasurement } from '../measurement/measurement.ts';
import type { Reason, Variant } from '../measurement/names.ts';
import { PUBLISHING_ROUND } from '../measurement/names.ts';
import { errorCount } from '../metrics/throughput.ts';
import type { Evidence } from './evidence.ts';
import { VALIDITY_LIMITS } from './limits.ts';
import { limitText } from './rules.ts';
import { invalidReasons, warnings } from './verdict.ts';

/** What a machine that stalls does to both sides of a short duet with many connections. A side that is silent alone has itself to blame. */
export const NO_ANSWER = 'no-answer';

/** What may befall a single trial through no fault of the service, on a machine that others use as well. */
export const PASSING: ReadonlySet<string> = new Set([
  'clock-stepped',
  'rate-not-held',
  'generator-bound',
  'generator-failed',
]);
const DISTURBANCES = new Set(['foreign-cpu', 'foreign-cpu-generator', 'steal', 'clock-stepped']);
/** Of a case's pairs, so many may be troubled without a visible cause; with more, the cause is the service. */
const MOST_UNEXPLAINED = 0.25;

/**
 * The trials of duets, and of pairs in turn, that are no measurement for a reason that passes: both of a pair, since one
 * without the other compares nothing. None of either kind where they are too many to be exceptions, and where nothing would
 * be left; the case is invalid then.
 */
export function setAside(trials: readonly TrialMeasurement[], testCase: Case): TrialMeasurement[] {
  return [...asideOf(trials.filter(isDuet), testCase), ...asideOf(trials.filter(isInTurn), testCase)];
}

const isDuet = ({ mode }: TrialMeasurement) => mode === 'duet';

/** Of a pair that compares, one side after the other; the pair of the published figures compares nothing. */
const isInTurn = ({ mode, pair, round }: TrialMeasurement) =>
  mode === 'solo' && pair !== null && round !== PUBLISHING_ROUND;

function asideOf(trials: readonly TrialMeasurement[], testCase: Case): TrialMeasurement[] {
  const pairs = new Set(trials.map(({ pair }) => pair));
  const silent = trials.filter((trial) => isDuet(trial) && isSilent(trial, testCase));
  const troubled = trials.filter((trial) => isPassing(trial, testCase) || isOfBoth(trial, silent));
  const troubledPairs = new Set(troubled.map(({ pair }) => pair));
  const explained = new Set(troubled.filter((trial) => isDisturbed(trial, testCase)).map(({ pair }) => pair));
  const unexplained = troubledPairs.size - explained.size;
  if (unexplained > pairs.size * MOST_UNEXPLAINED || troubledPairs.size === pairs.size) return [];
  return trials.filter(({ pair }) => troubledPairs.has(pair));
}

/** Invalid, and for reasons only that may be gone in a moment. */
function isPassing(trial: TrialMeasurement, testCase: Case): boolean {
  const reasons = invalidReasons({ trial, case: testCase, pass: null });
  return reasons.length > 0 && reasons.every(({ code }) => PASSING.has(code));
}

/** Nothing was answered, and nothing else than what passes was amiss. */
function isSilent(trial: TrialMeasurement, testCase: Case): boolean {
  const codes = invalidReasons({ trial, case: testCase, pass: null }).map(({ code }) => code);
  return codes.includes(NO_ANSWER) && codes.every((code) => code === NO_ANSWER || PASSING.has(code));
}

/** Whether a trial and that of the other side in its pair are both among some. */
function isOfBoth(trial: TrialMeasurement, some: readonly TrialMeasurement[]): boolean {
  return some.includes(trial) && some.some(({ pair, variant }) => pair === trial.pair && variant !== trial.variant);
}

/** What the machine alone explains, so that measuring again is no second throw of the dice. */
const EXPLAINED = new Set(['clock-stepped', 'rate-not-held']);

/** Invalid because somebody set the clock, or because others took the CPU that the rate needed. */
export function isSpoilt(trial: TrialMeasurement, testCase: Case): boolean {
  const reasons = invalidReasons({ trial, case: testCase, pass: null });
  return reasons.length > 0 && reasons.every(({ code }) => EXPLAINED.has(code)) && isDisturbed(trial, testCase);
}

/** Others took a part of the CPUs meanwhile, or the clock was set. */
export function isDisturbed(trial: TrialMeasurement, testCase: Case): boolean {
  const evidence = { trial, case: testCase, pass: null };
  return [...warnings(evidence), ...invalidReasons(evidence)].some(({ code }) => DISTURBANCES.has(code));
}

/**
 * The reasons of a case by its trials. Where duets were measured, they are what is judged, else pairs in turn: a trial alone
 * beside them that only the machine spoilt is a warning on the published figures, and no reason to doubt the comparison.
 */
export function caseReasons(evidence: readonly Evidence[]): { reasons: Reason[]; warnings: Reason[] } {
  const isJudged = [isDuet, isInTurn].find((kind) => evidence.some(({ trial }) => kind(trial))) ?? (() => true);
  const isWarning = ({ trial, case: testCase }: Evidence) => !isJudged(trial) && isPassing(trial, testCase);
  const reasons = evidence.filter((each) => !isWarning(each)).flatMap(invalidReasons);
  const few = reasons.some(({ code }) => code === 'errors') ? fewErrors(evidence) : null;
  return {
    reasons: few === null ? reasons : reasons.filter(({ code }) => code !== 'errors'),
    warnings: [
      ...evidence.filter(isWarning).flatMap((each) =>
        invalidReasons(each).map(({ code, message }) => ({
          code,
          message: `the figures of the trial alone: ${message}`,
        })),
      ),
      ...(few === null ? [] : [few]),
    ],
  };
}

/**
 * Where trials of a case had more errors than are let pass, and all of them together have not: of half a second with 500 requests one that
 * failed is 0.2 %. Null where there are more in all.
 */
function fewErrors(evidence: readonly Evidence[]): Reason | null {
  const outcomes = evidence.flatMap(({ trial }) => (trial.outcome === null ? [] : [trial]));
  const requests = outcomes.reduce((sum, { outcome }) => sum + (outcome?.requests ?? 0), 0);
  const failed = outcomes.reduce((sum, trial) => sum + errorCount(trial), 0);
  const most = evidence[0]?.case.service.errors?.max ?? VALIDITY_LIMITS.errorShare;
  if (failed === 0 || requests === 0 || failed > most * requests) return null;
  return {
    code: 'few-errors',
    message: `${grouped(failed)} of ${counted(requests, 'request')} failed; up to ${limitText(most)} is let pass`,
  };
}

/** Of the trials that are set aside: in how many pairs this variant alone was not sent its rate, nothing else being to blame. */
export function failedAlone(aside: readonly TrialMeasurement[], testCase: Case, variant: Variant): number {
  const failed = aside.filter((trial) =>
    invalidReasons({ trial, case: testCase, pass: null }).some(({ code }) => code === 'rate-not-held'),
  );
  const alone = failed.filter((trial) => trial.variant === variant && !isOfBoth(trial, failed));
  return alone.filter(({ pair }) => !aside.some((each) => each.pair === pair && isDisturbed(each, testCase))).length;
}

/** Says so of a variant that keeps `kept` trials, and failed alone in so many that it does not. */
export function setAsideWarnings(
  aside: readonly TrialMeasurement[],
  variant: Variant,
  kept: number,
  alone: number,
): Reason[] {
  const own = aside.filter((trial) => trial.variant === variant);
  const count = own.length;
  if (count === 0) return [];
  const what = own.every(isDuet) ? 'duets' : 'pairs';
  const why =
    alone === 0
      ? `the machine, not the service, disturbed their ${what}`
      : `their ${what} were disturbed, ${alone} of them on this side alone`;
  return [{ code: 'duets-set-aside', message: `${count} of ${count + kept} trials were set aside: ${why}` }];
}

/** How many trials such a warning says were set aside, of how many; null of another warning. */
export function asideCount({ code, message }: Reason): { aside: number; all: number } | null {
  const found = code === 'duets-set-aside' ? /^(\d+) of (\d+) /.exec(message) : null;
  return found === null ? null : { aside: Number(found[1]), all: Number(found[2]) };
}
