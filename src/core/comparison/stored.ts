import type { CaseRecord, RunRecord } from '../record/run-record.ts';
import { judged } from './claims.ts';
import { casesSideBySide } from './compared-case.ts';
import type { ComparedSide, Comparison } from './comparison.ts';
import { type ComparisonOptions, troubles } from './comparison-of.ts';
import { byCase, questionId } from './contrast.ts';
import { type Answer, answered, FAMILY_ERROR_RATE } from './decision.ts';
import { gateResult } from './gate.ts';
import { gatedCase, reasonsOf } from './gated-case.ts';
import { isGated } from './metric-comparison.ts';
import { otherConditions, refuseUnrelated, storedCautions } from './stored-conditions.ts';
import { type StoredContrast, storedContrasts } from './stored-contrast.ts';
import { noHistory, type StoredHistory } from './stored-history.ts';
import { knownOfStored } from './stored-known.ts';
import { unusedLimits } from './unused-limits.ts';

/**
 * The published figures of two records, by the gate of the first: relative to a reference service where both measured one,
 * and against how past runs under the same conditions scattered. Without enough of those nothing but exact counts is
 * judged. `history` may hold the two themselves. Throws `NotComparable`.
 */
export function storedComparison(
  base: RunRecord,
  head: RunRecord,
  history: StoredHistory = noHistory,
  options: ComparisonOptions = {},
): Comparison {
  refuseUnrelated(base, head);
  const was = candidates(base).map((each): CaseRecord => ({ ...each, variant: 'baseline' }));
  const cases = casesSideBySide(was, candidates(head), head.spec);
  const sameConditions = otherConditions(base, head).length === 0;
  const all = storedContrasts(cases, { base, head, history, sameConditions });
  const answers = answersFor(all.filter(({ contrast }) => reasonsOf(contrast.case).length === 0));
  const contrasts = all.map(({ contrast }) => contrast);
  const own = byCase(contrasts);
  const gated = cases.map((each) => gatedCase(each, own.get(each.key) ?? [], answers));
  return {
    schemaVersion: 1,
    mode: 'stored',
    baseline: sideOf(base),
    candidate: sideOf(head),
    familyErrorRate: FAMILY_ERROR_RATE,
    cautions: [...storedCautions(base, head), ...unusedLimits(base.spec.gate, contrasts)],
    skipped: null,
    cases: gated.map(({ comparison }) => comparison),
    services: [],
    gate: gateResult(gated, {
      accepted: [...((head.comparing ?? head.unpaired)?.accepted ?? []), ...(options.accepted ?? [])],
      failOnInconclusive: options.failOnInconclusive ?? false,
      whole: troubles(head, null),
    }),
  };
}

function candidates({ cases }: RunRecord): CaseRecord[] {
  return cases.filter(({ variant }) => variant === 'candidate');
}

/** One look, and all of the error rate for it. What is only shown is a family of its own. */
function answersFor(all: readonly StoredContrast[]): Map<string, Answer> {
  const gated = all.filter(({ contrast }) => isGated(contrast));
  const shown = all.filter(({ contrast }) => !isGated(contrast));
  const answers = [gated, shown].flatMap((family) => {
    const known = knownOfStored(family);
    return judged(known, known.length, [], FAMILY_ERROR_RATE).map((judgement) =>
      answered(judgement, judgement.known.instances),
    );
  });
  const unknown = all.flatMap(({ contrast, observed }): Answer[] =>
    observed === null || observed.variance !== null
      ? []
      : [{ ...UNKNOWN, id: questionId(contrast), estimate: observed.change, instances: observed.runs }],
  );
  return new Map([...answers, ...unknown].map((answer) => [answer.id, answer]));
}

/** Too few past runs: there is a change, and nothing to hold it against. */
const UNKNOWN = {
  interval: null,
  adjusted: null,
  minimumDetectable: null,
  verdict: 'inconclusive',
  decidedAt: null,
} as const;

function sideOf({ id, source, services, startedAt }: RunRecord): ComparedSide {
  const own = services.filter(({ variant }) => variant === 'candidate');
  return {
    id,
    sha: source.sha,
    images: Object.fromEntries(own.map(({ service, artifact }) => [service, artifact])),
    origin: `stored run ${id} of ${startedAt}`,
  };
}
