import type { Limit, MetricLimit } from '../config/resolved.ts';
import { STATEMENTS_UNCOUNTED } from '../measurement/measurement.ts';
import { brokenLimit, tailNote, unjudgedSentence } from './absolute-limits.ts';
import { type ComparedMetric, isWatched } from './compared-metric.ts';
import type { Evidence, MetricComparison, Verdict } from './comparison.ts';
import { countDecision, countedOf } from './counts.ts';
import { CONFIDENCE, type Decision } from './decision.ts';
import { isExact } from './gating.ts';
import { isPaired } from './observations.ts';
import { limitsLevel } from './thresholds.ts';

/** Whether a change of this metric is judged at all. */
export function isGated({ gates, threshold, limit, metric }: ComparedMetric): boolean {
  if (!gates) return false;
  return threshold !== null || (isExact(metric) && limit.maxDecrease !== undefined);
}

/** Why a limit of the level was not held against the candidate's figure, as a sentence; null where it was, or there is none. */
export function whyLevelIsOpen(comparedMetric: ComparedMetric): string | null {
  const note = levelNote(comparedMetric);
  return note === null ? null : unjudgedSentence(comparedMetric.metric, note);
}

function levelNote({ limit, candidate, metric, case: compared }: ComparedMetric): string | null {
  return limitsLevel(limit) && candidate !== null ? tailNote(metric, compared.candidate!) : null;
}

/**
 * Why a metric that is gated cannot be judged although its case can: a side lacks what the other one has. Null where both
 * have it, and where neither has it.
 */
export function whyInvalid(comparedMetric: ComparedMetric): string | null {
  const { baseline, candidate, basis, metric } = comparedMetric;
  if (!isGated(comparedMetric) && !limitsLevel(comparedMetric.limit)) return null;
  const uncounted = whyUncounted(comparedMetric);
  if (uncounted !== null) return uncounted;
  if (candidate === null) return `${metric.title}: the baseline has it, the candidate has not`;
  if (baseline === null || basis.mode === 'exact' || basis.mode === 'stored') return null;
  if (!isGated(comparedMetric)) return null;
  const [was, is] = [isPaired(baseline, basis.samples), isPaired(candidate, basis.samples)];
  if (was === is) return null;
  return `${metric.title}: only the ${was ? 'baseline' : 'candidate'} was measured ${basis.mode === 'duet' ? 'in duets' : 'in pairs'}`;
}

/** Where one side's database has counted and the other's has not: which, and why. */
function whyUncounted({ baseline, candidate, metric, case: compared }: ComparedMetric): string | null {
  if (!isExact(metric) || metric.needsDatabase !== true || (baseline !== null && candidate !== null)) return null;
  const lacking = candidate === null ? compared.candidate : compared.baseline;
  const why = lacking?.warnings.find(({ code }) => code === STATEMENTS_UNCOUNTED);
  return why === undefined ? null : `${metric.title}: not measured of the ${lacking!.variant}. ${why.message}`;
}

/**
 * `decision` is that on the compared metric's hypothesis, where it has one; `judged` is false for a case that cannot be judged;
 * `isLeftOpen` where it was not waited for, since something red says the same.
 */
export function metricComparison(
  comparedMetric: ComparedMetric,
  decision: Decision | null,
  judged: boolean,
  isLeftOpen = false,
): MetricComparison {
  const { metric, baseline, candidate, limit, basis, note } = comparedMetric;
  const both = baseline !== null && candidate !== null;
  const gated = isGated(comparedMetric);
  const tail = levelNote(comparedMetric);
  const shown: MetricComparison = {
    unit: metric.unit,
    better: metric.better,
    baseline: baseline?.value ?? null,
    candidate: candidate?.value ?? null,
    difference: both ? candidate.value - baseline.value : null,
    change: null,
    interval: null,
    adjusted: null,
    confidence: CONFIDENCE,
    minimumDetectable: null,
    direction: 'unclear',
    verdict: gated ? verdictWithout(comparedMetric, judged) : whyInvalid(comparedMetric) === null ? null : 'invalid',
    threshold: gated ? shownThreshold(comparedMetric) : null,
    brokenLimit: judged && candidate !== null && tail === null ? brokenLimit(limit, candidate.value) : null,
    evidence: {
      ...{ mode: basis.mode, rounds: 0, pairs: comparedMetric.pairs.length, note: tail ?? note },
      // A service has endpoints that each use another share.
      ...(basis.background === undefined || comparedMetric.level === 'service'
        ? {}
        : { background: basis.background.share }),
    },
  };
  if (!both || !judged) return shown;
  if (basis.mode === 'exact') {
    const found = { ...shown, ...exactlyCompared(comparedMetric, gated ? limit : {}, shown.evidence) };
    // All cases of an endpoint have the counts of the same passes.
    return comparedMetric.judgedBy === null ? found : { ...found, verdict: null };
  }
  const found = decision === null ? shown : { ...shown, ...decided(comparedMetric, decision, gated, shown.evidence) };
  if (found.verdict !== 'inconclusive') return found;
  // What this case leaves open is decided for its endpoint or service, or nobody asks.
  if (comparedMetric.judgedBy !== null || isWatched(comparedMetric)) return { ...found, verdict: null };
  if (basis.mode === 'stored' || isLeftOpen || hasNoRatio(comparedMetric) || seesEnough(found)) return found;
  return { ...found, verdict: 'not-measured' };
}

/** Measured, and of values that more rounds make no ratio of: 0 on a side, or too few requests for a tail. */
function hasNoRatio({ ratios, pairs }: ComparedMetric): boolean {
  return ratios === null && pairs.length > 0;
}

/**
 * A comparison that would not have seen ten times the limit has measured nothing: to call that undecided would let a gate
 * that sees nothing look like one that found nothing. One whose interval excludes it has seen it. A limit of 0 is taken for the usual
 * one of its metric.
 */
function seesEnough({ minimumDetectable, adjusted, threshold, better }: MetricComparison): boolean {
  if (minimumDetectable === null || threshold === null) return false;
  if (threshold.kind === 'absolute' && threshold.value !== 0) return true;
  const most = better === 'higher' ? MOST_FALL : Number.POSITIVE_INFINITY;
  const wanted = Math.min(TIMES_THE_LIMIT * shareOf(threshold), most);
  const worst = adjusted === null ? Number.POSITIVE_INFINITY : better === 'higher' ? -adjusted[0] : adjusted[1];
  return minimumDetectable <= wanted || worst < wanted;
}

const TIMES_THE_LIMIT = 10;
/** Nothing falls by more than all of itself: whoever sees only a fall by more than this sees nothing, whatever the limit. */
const MOST_FALL = 0.9;
/** As a share, of a limit of 0. */
const USUAL_LIMIT = 0.05;

function shareOf({ value }: Limit): number {
  return value === 0 ? USUAL_LIMIT : value;
}

/** Of a count that is to stay where it is, the limit of a fall where that is the only one, or the one that was broken. */
function shownThreshold({ threshold, limit }: ComparedMetric, fell = false): MetricComparison['threshold'] {
  const ofFall = limit.maxDecrease === undefined ? null : ({ ...limit.maxDecrease, down: true } as const);
  return fell ? ofFall : (threshold ?? ofFall);
}

function verdictWithout(comparedMetric: ComparedMetric, judged: boolean): Verdict {
  if (!judged || whyInvalid(comparedMetric) !== null) return 'invalid';
  return comparedMetric.baseline === null ? 'new' : 'inconclusive';
}

function exactlyCompared(
  comparedMetric: ComparedMetric,
  limit: MetricLimit,
  evidence: Evidence,
): Partial<MetricComparison> {
  const { baseline, candidate, countErrorRate } = comparedMetric;
  const decision = countDecision(countedOf(comparedMetric), baseline!, candidate!, limit, countErrorRate);
  const fell = decision.verdict === 'regression' && decision.direction === 'better';
  return {
    ...(fell ? { threshold: shownThreshold(comparedMetric, fell) } : {}),
    change: baseline!.value === 0 ? null : candidate!.value / baseline!.value - 1,
    direction: decision.direction,
    verdict: decision.verdict,
    evidence: { ...evidence, rounds: decision.rounds, note: decision.note ?? evidence.note },
  };
}

function decided(
  comparedMetric: ComparedMetric,
  decision: Decision,
  gated: boolean,
  evidence: Evidence,
): Partial<MetricComparison> {
  const up = comparedMetric.metric.better === 'lower';
  // Of a metric that is better higher, a step up on the scale of decisions is a fall.
  const ratio = (log: number) => Math.expm1(up ? log : -log);
  // Two rounds and many questions make ends that no number holds.
  const turned = (interval: [number, number] | null): [number, number] | null => {
    if (interval === null) return null;
    if (!interval.every(Number.isFinite)) return null;
    const [low, high] = interval.map(ratio) as [number, number];
    if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
    return up ? [low, high] : [high, low];
  };
  // A fall by all there is stands for what is infinite, and is no figure either.
  const finite = (log: number | null) =>
    log === null || !Number.isFinite(log) || !Number.isFinite(ratio(log)) ? null : ratio(log);
  const { estimate, interval } = decision;
  const detectable = finite(decision.minimumDetectable);
  return {
    change: finite(estimate),
    interval: turned(interval),
    direction: interval === null ? 'unclear' : interval[0] > 0 ? 'worse' : interval[1] < 0 ? 'better' : 'unclear',
    evidence: { ...evidence, rounds: decision.rounds, pairs: pairsUpTo(comparedMetric, decision.decidedAt) },
    ...(gated
      ? {
          adjusted: turned(decision.adjusted),
          minimumDetectable: detectable === null ? null : Math.abs(detectable),
          verdict: whyInvalid(comparedMetric) === null ? decision.verdict : 'invalid',
        }
      : {}),
  };
}

/** What is decided at a look rests on what there was until then. */
function pairsUpTo({ pairs }: ComparedMetric, decidedAt: number | null): number {
  return pairs.filter((round) => decidedAt === null || round <= decidedAt).length;
}
