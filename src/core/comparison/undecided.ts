import type { Comparing, RunRecord } from '../record/run-record.ts';
import type { Contrast } from './contrast.ts';
import { contrastsOf } from './contrasts.ts';
import type { Look } from './decision.ts';
import { answersTo, FAMILY_ERROR_RATE } from './decision.ts';
import { isGated, whyInvalid } from './metric-comparison.ts';
import type { Question } from './question.ts';
import { isWholeService } from './whole-service-key.ts';

type ComparingRecord = RunRecord & { comparing: Comparing };

/** The questions that the gate asks of a comparing run: one for each gated metric that is told from ratios. */
export function questionsOf(record: ComparingRecord): Question[] {
  return gateQuestions(contrastsOf(record));
}

/** As `questionsOf`. Holm's procedure counts them all, so that what is only shown must not be among them. */
export function gateQuestions(contrasts: readonly Contrast[]): Question[] {
  return contrasts.flatMap((contrast) =>
    contrast.question !== null && isGated(contrast) && canBeJudged(contrast) ? [contrast.question] : [],
  );
}

/**
 * One-sided error rate of one service's questions. Services are measured one after the other, each with its own number
 * of instances, so that each is a matrix of its own: they share the error rate of the whole evenly.
 */
export function serviceErrorRate({ spec }: Pick<RunRecord, 'spec'>): number {
  const subjects = spec.services.filter(({ role }) => role === 'subject').length;
  return FAMILY_ERROR_RATE / Math.max(1, subjects);
}

/** Both sides are there and valid. */
export function canBeJudged({ case: { baseline, candidate } }: Contrast): boolean {
  return baseline?.status === 'valid' && candidate?.status === 'valid';
}

/**
 * Keys of the cases of a record of one service that another instance may decide: with a gated metric whose verdict is open at this look.
 * Exact counts are decided, and so is what more of the same cannot mend: an invalid or missing case, a metric that one
 * side lacks, a tail with too few requests in every instance.
 */
export function undecidedCases(record: ComparingRecord, look: Look): Set<string> {
  const contrasts = contrastsOf(record).filter((contrast) => isGated(contrast) && canBeJudged(contrast));
  const answers = new Map(
    answersTo(gateQuestions(contrasts), look, serviceErrorRate(record)).map((answer) => [answer.id, answer]),
  );
  const open = contrasts.filter((contrast) => {
    if (contrast.basis.mode === 'exact' || whyInvalid(contrast) !== null || contrast.baseline === null) return false;
    if (contrast.askedOf !== null) return false;
    if (contrast.question === null) return contrast.pairs.length === 0;
    return answers.get(contrast.question.id)!.decidedAt === null;
  });
  return new Set(open.flatMap((one) => (isWholeService(one.case) ? casesOfService(one, contrasts) : one.case.key)));
}

/** What is asked of cases together wants another instance of each of them. */
function casesOfService({ case: { key }, metric }: Contrast, contrasts: readonly Contrast[]): string[] {
  return contrasts.filter((each) => each.askedOf === key && each.metric === metric).map((each) => each.case.key);
}

/**
 * Keys of the cases whose throughput is judged from slices alone although duets are measured, since their sides do not
 * compete for the CPU evenly: each instance then needs a pair of alone slices of them.
 */
export function needsAlonePairs(record: ComparingRecord): Set<string> {
  if (record.comparing.mode !== 'duet') return new Set();
  const alone = contrastsOf(record).filter(
    (contrast) => contrast.basis.mode === 'interleaved' && isGated(contrast) && canBeJudged(contrast),
  );
  return new Set(alone.map((contrast) => contrast.case.key));
}
