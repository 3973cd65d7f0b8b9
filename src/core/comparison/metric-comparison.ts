import type { Limit, MetricLimit } from '../spec/resolved.ts';
import { brokenLimit, limitsLevel, tailNote } from './absolute-limits.ts';
import type { Evidence, MetricComparison, Verdict } from './comparison.ts';
import type { Contrast } from './contrast.ts';
import { countFinding } from './counts.ts';
import { type Answer, CONFIDENCE } from './decision.ts';
import { isPaired } from './observations.ts';

/** Whether a change of this metric is judged at all. */
export function isGated({ gates, threshold, limit, basis }: Contrast): boolean {
  if (!gates) return false;
  return threshold !== null || (basis.mode === 'exact' && limit.maxDecrease !== undefined);
}

/**
 * Why a metric that is gated cannot be judged although its case can: a side lacks what the other one has. Null where both
 * have it, and where neither has it.
 */
export function whyInvalid(contrast: Contrast): string | null {
  const { baseline, candidate, basis, metric } = contrast;
  if (!isGated(contrast) && !limitsLevel(contrast.limit)) return null;
  if (candidate === null) return `${metric.title}: the baseline has it, the candidate has not`;
  if (baseline === null || basis.mode === 'exact' || basis.mode === 'stored') return null;
  if (!isGated(contrast)) return null;
  const [was, is] = [isPaired(baseline, basis.samples), isPaired(candidate, basis.samples)];
  if (was === is) return null;
  return `${metric.title}: only the ${was ? 'baseline' : 'candidate'} was measured ${basis.mode === 'duet' ? 'in duets' : 'in pairs'}`;
}

/** `answer` is that to the contrast's question, where it has one; `judged` is false for a case that cannot be judged. */
export function metricComparison(contrast: Contrast, answer: Answer | null, judged: boolean): MetricComparison {
  const { metric, baseline, candidate, limit, basis, note } = contrast;
  const both = baseline !== null && candidate !== null;
  const gated = isGated(contrast);
  const tail = limitsLevel(limit) && candidate !== null ? tailNote(metric, contrast.case.candidate!) : null;
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
    verdict: gated ? verdictWithout(contrast, judged) : null,
    threshold: gated ? shownThreshold(contrast) : null,
    brokenLimit: judged && candidate !== null && tail === null ? brokenLimit(limit, candidate.value) : null,
    evidence: { mode: basis.mode, instances: 0, pairs: contrast.pairs.length, note: tail ?? note },
  };
  if (!both || !judged) return shown;
  if (basis.mode === 'exact') return { ...shown, ...counted(contrast, gated ? limit : {}, shown.evidence) };
  const found = answer === null ? shown : { ...shown, ...answered(contrast, answer, gated, shown.evidence) };
  // What this case leaves open is decided for its service.
  return contrast.askedOfService && found.verdict === 'inconclusive' ? { ...found, verdict: null } : found;
}

function shownThreshold({ threshold, limit }: Contrast): Limit | null {
  return threshold ?? limit.maxDecrease ?? null;
}

function verdictWithout(contrast: Contrast, judged: boolean): Verdict {
  if (!judged || whyInvalid(contrast) !== null) return 'invalid';
  return contrast.baseline === null ? 'new' : 'inconclusive';
}

function counted(contrast: Contrast, limit: MetricLimit, evidence: Evidence): Partial<MetricComparison> {
  const { baseline, candidate } = contrast;
  const finding = countFinding(baseline!, candidate!, limit);
  return {
    change: baseline!.value === 0 ? null : candidate!.value / baseline!.value - 1,
    direction: finding.direction,
    verdict: finding.verdict,
    evidence: { ...evidence, instances: finding.instances, note: finding.note ?? evidence.note },
  };
}

function answered(contrast: Contrast, answer: Answer, gated: boolean, evidence: Evidence): Partial<MetricComparison> {
  const up = contrast.metric.better === 'lower';
  // Of a metric that is better higher, a step up on the scale of decisions is a fall.
  const ratio = (log: number) => Math.expm1(up ? log : -log);
  const turned = (interval: [number, number] | null): [number, number] | null => {
    if (interval === null || !interval.every(Number.isFinite)) return null;
    const ends = interval.map(ratio) as [number, number];
    return up ? ends : [ends[1], ends[0]];
  };
  const { estimate, interval, minimumDetectable } = answer;
  return {
    change: Number.isFinite(estimate) ? ratio(estimate) : null,
    interval: turned(interval),
    direction: interval === null ? 'unclear' : interval[0] > 0 ? 'worse' : interval[1] < 0 ? 'better' : 'unclear',
    evidence: { ...evidence, instances: answer.instances, pairs: pairsUpTo(contrast, answer.decidedAt) },
    ...(gated
      ? {
          adjusted: turned(answer.adjusted),
          minimumDetectable:
            minimumDetectable === null || !Number.isFinite(minimumDetectable)
              ? null
              : Math.abs(ratio(minimumDetectable)),
          verdict: whyInvalid(contrast) === null ? answer.verdict : 'invalid',
        }
      : {}),
  };
}

/** What is decided at a look rests on what there was until then. */
function pairsUpTo({ pairs }: Contrast, decidedAt: number | null): number {
  return pairs.filter((instance) => decidedAt === null || instance <= decidedAt).length;
}
