import { type HolmStep, holm } from '../statistics/holm.ts';
import { studentQuantile, studentUpperTail } from '../statistics/student.ts';
import type { Verdict } from './comparison.ts';
import type { Known } from './question.ts';

/** The one-sided claims that a question's data can make of its ratio, at its two borders. */
const CLAIMS = {
  aboveThreshold: { side: 1, border: thresholdOf },
  aboveImprovement: { side: 1, border: improvementOf },
  belowThreshold: { side: -1, border: thresholdOf },
  belowImprovement: { side: -1, border: improvementOf },
} as const;

type Claim = keyof typeof CLAIMS;

/** A verdict that data alone can give. */
export type Finding = Exclude<Verdict, 'invalid' | 'new'>;

/** What each finding has claimed. */
const CLAIMED: Record<Finding, readonly Claim[]> = {
  regression: ['aboveThreshold', 'aboveImprovement'],
  improvement: ['belowImprovement', 'belowThreshold'],
  'no-change': ['aboveImprovement', 'belowThreshold'],
  inconclusive: [],
};

export interface Judgement {
  known: Known;
  verdict: Finding;
  /** Level at which each claim was held against the data. */
  steps: Record<Claim, HolmStep>;
}

/**
 * Each kind of claim is a family of its own, which Holm's procedure holds to `level` over `familySize` questions: those
 * that are open, and those `settled` at an earlier look, whose claims no longer stand in the way of others.
 */
export function judged(
  open: readonly Known[],
  familySize: number,
  settled: readonly Finding[],
  level: number,
): Judgement[] {
  const steps = Object.fromEntries(
    (Object.keys(CLAIMS) as Claim[]).map((claim) => {
      const standing = familySize - settled.filter((verdict) => CLAIMED[verdict].includes(claim)).length;
      return [
        claim,
        holm(
          open.map((known) => pValue(known, claim)),
          standing,
          level,
        ),
      ];
    }),
  ) as Record<Claim, HolmStep[]>;
  return open.map((known, index) => {
    const own = Object.fromEntries(
      (Object.keys(CLAIMS) as Claim[]).map((claim) => [claim, steps[claim][index]!]),
    ) as Record<Claim, HolmStep>;
    return { known, steps: own, verdict: verdictOf(own) };
  });
}

function verdictOf(steps: Record<Claim, HolmStep>): Finding {
  if (steps.aboveThreshold.rejected) return 'regression';
  if (steps.belowImprovement.rejected) return 'improvement';
  return steps.aboveImprovement.rejected && steps.belowThreshold.rejected ? 'no-change' : 'inconclusive';
}

function pValue(known: Known, claim: Claim): number {
  const { side, border } = CLAIMS[claim];
  if (known.instances < 2) return 1;
  return studentUpperTail((side * (known.mean - border(known))) / known.standardError, known.degreesOfFreedom);
}

/**
 * The interval that says the same as the verdict: an end lies beyond a border exactly where that was claimed. Where the
 * level of a border's own claim would carry the end across the farther border, the stricter level of that one holds.
 */
export function adjustedInterval({ known, steps }: Judgement): [number, number] {
  const end = (side: 1 | -1, level: number) =>
    known.mean - side * studentQuantile(1 - level, known.degreesOfFreedom) * known.standardError;
  const near = end(1, steps.aboveImprovement.level);
  const far = end(1, steps.aboveThreshold.level);
  const low = steps.aboveThreshold.rejected || near > thresholdOf(known) ? far : near;
  const above = end(-1, steps.belowThreshold.level);
  const below = end(-1, steps.belowImprovement.level);
  const high = steps.belowImprovement.rejected || above < improvementOf(known) ? below : above;
  return [low, high];
}

function thresholdOf({ question }: Known): number {
  return question.threshold;
}

function improvementOf({ question }: Known): number {
  return -(question.improvement ?? question.threshold);
}
