import { analysesUpTo, LEAST_VALUES, type PlannedAnalysis, SPENT_AT_A_LOOK } from '../statistics/interim-analyses.ts';
import { bound, detectableBeyond } from '../statistics/round-mean.ts';
import type { Verdict } from './comparison.ts';
import { estimatesOf, type RatioEstimate } from './estimates.ts';
import type { Hypothesis } from './hypothesis.ts';

export type { Hypothesis } from './hypothesis.ts';

export interface InterimAnalysis {
  /** Number of the last round measured; they count from 1. */
  rounds: number;
  /** No more will follow: all that is left of the error rate is spent. */
  final: boolean;
}

/** All figures are on the log scale, up is worse. */
export interface Decision {
  id: string;
  /** NaN without a round. */
  estimate: number;
  /** Marginal, two-sided, at `CONFIDENCE`; null with fewer than two rounds. */
  interval: [number, number] | null;
  /** What the verdict rests on; null with fewer than `LEAST_VALUES` rounds, and before the first look. */
  adjusted: [number, number] | null;
  /** Smallest rise that another run like this one would call a regression in nine of ten cases; null as `adjusted`. */
  minimumDetectable: number | null;
  verdict: DecidedVerdict;
  /**
   * Taken by itself, a change of the limit or less is as good as excluded (`NO_CHANGE_ERROR_RATE`): only the correction for all that is
   * looked at, or that it is too soon, keeps it from being called a regression. False with fewer than `LEAST_VALUES` rounds.
   */
  leansToRed: boolean;
  /** That it rests on. */
  rounds: number;
  /** Look, as a number of rounds, at which it was decided. */
  decidedAt: number | null;
}

/** A verdict that data alone can give. */
type DecidedVerdict = Extract<Verdict, 'regression' | 'improvement' | 'no-change' | 'inconclusive'>;

/** One-sided, over all hypotheses and looks of a matrix: the chance of even one false regression. */
export const FAMILY_ERROR_RATE = 0.005;
/**
 * One-sided, of each claim that a metric did not get worse than its limit: the usual end of a two-sided interval of 95 %. It is the
 * chance for a change of exactly the limit, which a red would not tell either; for one of twice the limit it is next to none. That nothing
 * got worse is claimed of all together, and is wrong as soon as one of them is: such a claim needs no correction for their number
 * (Berger, Technometrics 24, 1982).
 */
export const NO_CHANGE_ERROR_RATE = 0.025;
/** Of marginal intervals. */
export const CONFIDENCE = 0.99;

/**
 * Decisions as of the last look. What is decided at a look stays decided with the data of that look, so that the same
 * hypotheses give the same decisions while they are measured and from the record. `errorRate` is one-sided, over all of
 * these hypotheses and looks.
 */
export function decisionsOn(
  hypotheses: readonly Hypothesis[],
  analysis: InterimAnalysis,
  errorRate: number = FAMILY_ERROR_RATE,
): Decision[] {
  const decided = new Map<string, Decision>();
  let latest = new Map<string, Decision>();
  // The last looks are often at the same rounds.
  let known: { rounds: number; estimates: RatioEstimate[] } | null = null;
  const estimatesAt = (rounds: number): RatioEstimate[] => {
    if (known?.rounds !== rounds) known = { rounds, estimates: estimatesOf(hypotheses, rounds) };
    return known.estimates;
  };
  for (const planned of analysesUpTo(analysis.rounds, analysis.final)) {
    const { rounds } = planned;
    const estimates = estimatesAt(rounds);
    const red = new Set([...decided.values()].flatMap(({ id, verdict }) => (verdict === 'regression' ? [id] : [])));
    latest = new Map();
    for (const estimate of inTestOrder(estimates)) {
      const { id, after } = estimate.hypothesis;
      if (decided.has(id)) continue;
      const levels = levelsOf(estimate.hypothesis, planned, errorRate);
      const at = { rounds, mayBeRed: after === null || red.has(after) };
      const found = estimate.count < LEAST_VALUES ? undecided(estimate) : decisionOn(estimate, levels, at);
      const isOpen = planned.share === 0 && !isPlainlyUnchanged(found, estimate, rounds);
      const decision = isOpen ? { ...undecided(estimate), leansToRed: found.leansToRed } : found;
      if (decision.verdict === 'regression') red.add(id);
      latest.set(id, decision);
    }
    for (const [id, decision] of latest) if (decision.verdict !== 'inconclusive') decided.set(id, decision);
  }
  // Before the first look nothing is judged at all.
  return estimatesAt(analysis.rounds).map((estimate) => {
    const { id } = estimate.hypothesis;
    return decided.get(id) ?? latest.get(id) ?? undecided(estimate);
  });
}

/** One-sided error rates of the claims about a hypothesis. */
export interface ErrorRates {
  change: number;
  noChange: number;
}

function levelsOf({ share }: Hypothesis, planned: PlannedAnalysis, errorRate: number): ErrorRates {
  // Where no change may be claimed yet, an interval is as wide as at the first look that may.
  const ofChange = planned.share > 0 ? planned.share : SPENT_AT_A_LOOK;
  return { change: errorRate * share * ofChange, noChange: NO_CHANGE_ERROR_RATE * planned.noChangeShare };
}

/** What looks like an improvement waits for a look that may call it one, and so does what has cases of too few rounds to have a say yet. */
function isPlainlyUnchanged({ verdict }: Decision, estimate: RatioEstimate, rounds: number): boolean {
  const { threshold, improvement = threshold, groups } = estimate.hypothesis;
  if (verdict !== 'no-change' || bound(estimate, -1, NO_CHANGE_ERROR_RATE) <= -improvement) return false;
  const counts = groups.flat().map(({ values }) => values.filter(({ round }) => round <= rounds).length);
  return counts.every((count) => count === 0 || count >= LEAST_VALUES);
}

/** What has to wait for another one comes after it. */
function inTestOrder(estimates: readonly RatioEstimate[]): RatioEstimate[] {
  return [...estimates].sort(
    (one, other) => Number(one.hypothesis.after !== null) - Number(other.hypothesis.after !== null),
  );
}

/**
 * With the limit T, in the direction that is worse:
 *
 *     low ──── T ────▶                 regression      low end above T
 *     ◀── low … high ──┤ T             no change       high end below T: not worse than the limit, whatever it gained
 *     ◀── high ┤ -T                    improvement     high end below -T, at the stricter level of a change
 */
export function decisionOn(
  estimate: RatioEstimate,
  levels: ErrorRates,
  at: { rounds: number; mayBeRed: boolean },
): Decision {
  if (estimate.count < 2) return undecided(estimate);
  const { hypothesis } = estimate;
  const { threshold, improvement = threshold } = hypothesis;
  const low = bound(estimate, 1, levels.change);
  const strictHigh = bound(estimate, -1, levels.change);
  const isBetter = strictHigh < -improvement;
  const high = isBetter ? strictHigh : bound(estimate, -1, levels.noChange);
  const verdict =
    low > threshold && at.mayBeRed
      ? 'regression'
      : isBetter
        ? 'improvement'
        : high < threshold
          ? 'no-change'
          : 'inconclusive';
  return {
    ...undecided(estimate),
    adjusted: [low, high],
    minimumDetectable: threshold + detectableBeyond(estimate, levels.change),
    verdict,
    leansToRed: bound(estimate, 1, NO_CHANGE_ERROR_RATE) > threshold,
    decidedAt: verdict === 'inconclusive' ? null : at.rounds,
  };
}

function undecided(estimate: RatioEstimate): Decision {
  const { hypothesis, mean, count } = estimate;
  const level = (1 - CONFIDENCE) / 2;
  return {
    id: hypothesis.id,
    estimate: mean,
    interval: count < 2 ? null : [bound(estimate, 1, level), bound(estimate, -1, level)],
    adjusted: null,
    minimumDetectable: null,
    verdict: 'inconclusive',
    leansToRed: false,
    rounds: count,
    decidedAt: null,
  };
}
