import type { Case, Variant } from '../plan/case.ts';
import { PUBLISHING_INSTANCE } from '../plan/duets.ts';
import type { SliceMeasurement } from '../record/measurement.ts';
import type { Reason } from '../record/run-record.ts';
import type { Evidence } from './rules.ts';
import { invalidReasons, marks } from './verdict.ts';

/** What may befall a single slice through no fault of the service, on a machine that others use as well. */
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
 * The slices of duets, and of pairs in turn, that are no measurement for a reason that passes: both of a pair, since one
 * without the other compares nothing. None of either kind where they are too many to be exceptions, and where nothing would
 * be left; the case is invalid then.
 */
export function setAside(slices: readonly SliceMeasurement[], testCase: Case): SliceMeasurement[] {
  return [...asideOf(slices.filter(isDuet), testCase), ...asideOf(slices.filter(isInTurn), testCase)];
}

const isDuet = ({ mode }: SliceMeasurement) => mode === 'duet';

/** Of a pair that compares, one side after the other; the pair of the published figures compares nothing. */
const isInTurn = ({ mode, pair, instance }: SliceMeasurement) =>
  mode === 'alone' && pair !== null && instance !== PUBLISHING_INSTANCE;

function asideOf(slices: readonly SliceMeasurement[], testCase: Case): SliceMeasurement[] {
  const pairs = new Set(slices.map(({ pair }) => pair));
  const troubled = slices.filter((slice) => isPassing(slice, testCase));
  const troubledPairs = new Set(troubled.map(({ pair }) => pair));
  const explained = new Set(troubled.filter((slice) => isDisturbed(slice, testCase)).map(({ pair }) => pair));
  const unexplained = troubledPairs.size - explained.size;
  if (unexplained > pairs.size * MOST_UNEXPLAINED || troubledPairs.size === pairs.size) return [];
  return slices.filter(({ pair }) => troubledPairs.has(pair));
}

/** Invalid, and for reasons only that may be gone in a moment. */
function isPassing(slice: SliceMeasurement, testCase: Case): boolean {
  const reasons = invalidReasons({ slice, case: testCase, pass: null });
  return reasons.length > 0 && reasons.every(({ code }) => PASSING.has(code));
}

/** What the machine alone explains, so that measuring again is no second throw of the dice. */
const EXPLAINED = new Set(['clock-stepped', 'rate-not-held']);

/** Invalid because somebody set the clock, or because others took the CPU that the rate needed. */
export function isSpoilt(slice: SliceMeasurement, testCase: Case): boolean {
  const reasons = invalidReasons({ slice, case: testCase, pass: null });
  return reasons.length > 0 && reasons.every(({ code }) => EXPLAINED.has(code)) && isDisturbed(slice, testCase);
}

/** Others took a part of the CPUs meanwhile, or the clock was set. */
function isDisturbed(slice: SliceMeasurement, testCase: Case): boolean {
  const evidence = { slice, case: testCase, pass: null };
  return [...marks(evidence), ...invalidReasons(evidence)].some(({ code }) => DISTURBANCES.has(code));
}

/**
 * The reasons of a case by its slices. Where duets were measured, they are what is judged, else pairs in turn: a slice alone
 * beside them that only the machine spoilt is a mark on the published figures, and no reason to doubt the comparison.
 */
export function caseReasons(evidence: readonly Evidence[]): { reasons: Reason[]; marks: Reason[] } {
  const isJudged = [isDuet, isInTurn].find((kind) => evidence.some(({ slice }) => kind(slice))) ?? (() => true);
  const isMark = ({ slice, case: testCase }: Evidence) => !isJudged(slice) && isPassing(slice, testCase);
  return {
    reasons: evidence.filter((each) => !isMark(each)).flatMap(invalidReasons),
    marks: evidence.filter(isMark).flatMap((each) =>
      invalidReasons(each).map(({ code, message }) => ({
        code,
        message: `the figures of the slice alone: ${message}`,
      })),
    ),
  };
}

/** Says so of a variant that keeps `kept` slices. */
export function asideMarks(aside: readonly SliceMeasurement[], variant: Variant, kept: number): Reason[] {
  const own = aside.filter((slice) => slice.variant === variant);
  const count = own.length;
  if (count === 0) return [];
  const what = own.every(isDuet) ? 'duets' : 'pairs';
  const message = `${count} of ${count + kept} slices were set aside: the machine, not the service, disturbed their ${what}`;
  return [{ code: 'duets-set-aside', message }];
}

/** How many slices such a mark says were set aside, of how many; null of another mark. */
export function asideCount({ code, message }: Reason): { aside: number; all: number } | null {
  const found = code === 'duets-set-aside' ? /^(\d+) of (\d+) /.exec(message) : null;
  return found === null ? null : { aside: Number(found[1]), all: Number(found[2]) };
}
