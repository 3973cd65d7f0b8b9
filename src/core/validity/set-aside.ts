import type { Case, Variant } from '../plan/case.ts';
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
/** Of a case's duets, so many may be troubled without a visible cause; with more, the cause is the service. */
const MOST_UNEXPLAINED = 0.25;

/**
 * The slices of duets that are no measurement for a reason that passes: both of a pair, since one without the other
 * compares nothing. Empty where they are too many to be exceptions, and where nothing would be left; the case is invalid
 * then.
 */
export function setAside(slices: readonly SliceMeasurement[], testCase: Case): SliceMeasurement[] {
  const duets = slices.filter(({ mode }) => mode === 'duet');
  const pairs = new Set(duets.map(({ pair }) => pair));
  const troubled = duets.filter((slice) => isPassing(slice, testCase));
  const troubledPairs = new Set(troubled.map(({ pair }) => pair));
  const explained = new Set(troubled.filter((slice) => isDisturbed(slice, testCase)).map(({ pair }) => pair));
  const unexplained = troubledPairs.size - explained.size;
  if (unexplained > pairs.size * MOST_UNEXPLAINED || troubledPairs.size === pairs.size) return [];
  return duets.filter(({ pair }) => troubledPairs.has(pair));
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
 * The reasons of a case by its slices. Where duets were measured, they are what is judged: a slice alone that only the
 * machine spoilt then is a mark on the published figures, and no reason to doubt the comparison.
 */
export function caseReasons(evidence: readonly Evidence[]): { reasons: Reason[]; marks: Reason[] } {
  const compared = evidence.some(({ slice }) => slice.mode === 'duet');
  const isMark = ({ slice, case: testCase }: Evidence) =>
    compared && slice.mode === 'alone' && isPassing(slice, testCase);
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
  const count = aside.filter((slice) => slice.variant === variant).length;
  if (count === 0) return [];
  const message = `${count} of ${count + kept} slices were set aside: the machine, not the service, disturbed their duets`;
  return [{ code: 'duets-set-aside', message }];
}
