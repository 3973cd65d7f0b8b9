import { tellTheSame } from '../metrics/registry.ts';
import type { Decision } from './decision.ts';
import type { Hypothesis } from './hypothesis.ts';

/** A hypothesis and the cases that it is of. */
export interface Judged {
  hypothesis: Pick<Hypothesis, 'id' | 'level' | 'metric' | 'after'>;
  caseKeys: readonly string[];
  /** Whether somebody accepts it by itself, or, where it is red, for what is red of its parts; null where nobody does. */
  acceptance: 'own' | 'of its parts' | null;
  /** Its limit is watched: see `Limit`. */
  isWatched: boolean;
  /** Its throughput and CPU per request do not tell the same (`tellsApart`). */
  isToldApart: boolean;
}

/**
 * Ids of what another round is measured for. A service and an endpoint are waited for until they are decided, unless that would say
 * what is said already: what is red of an endpoint is red of its service, of a service of its endpoints, and of the CPU time
 * of a duet of its throughput too (the other way round as well). A case, and what is watched, is waited for only where it leans to red
 * and nothing that it is part of is. A regression that somebody accepts spares nothing else the wait but what is accepted too, and the whole that it is
 * part of.
 */
export function waitedFor(judged: readonly Judged[], decisions: ReadonlyMap<string, Decision>): Set<string> {
  const decisionOf = ({ hypothesis: { id } }: Judged) => decisions.get(id)!;
  const red = judged.filter((one) => one.hypothesis.level !== 'case' && decisionOf(one).verdict === 'regression');
  const isOpen = (one: Judged): boolean => {
    const decision = decisionOf(one);
    if (decision.decidedAt !== null) return false;
    if (one.hypothesis.level === 'case' || one.isWatched) {
      // Such cases are few, and a round of one is short. What comes after another one is red with it.
      const isNearlyRed = decision.leansToRed && one.hypothesis.after === null;
      return isNearlyRed && !red.some((unit) => holds(unit, one) && speaksFor(unit, one));
    }
    return !red.some((other) => saysTheSame(one, other) && speaksFor(other, one));
  };
  return new Set(judged.flatMap((one) => (isOpen(one) ? [one.hypothesis.id] : [])));
}

/**
 * Ids of the services and endpoints that are not decided and not waited for either: what is red says it of them. That so few rounds
 * show little of them is then no fault of the budget.
 */
export function sparedBy(judged: readonly Judged[], decisions: ReadonlyMap<string, Decision>): Set<string> {
  const waiting = waitedFor(judged, decisions);
  const spared = judged.filter(
    ({ hypothesis: { id, level } }) => level !== 'case' && decisions.get(id)!.decidedAt === null && !waiting.has(id),
  );
  return new Set(spared.map(({ hypothesis }) => hypothesis.id));
}

/** Whether `one` need not be waited for since `red` says the same, as far as acceptances go. */
function speaksFor(red: Judged, one: Judged): boolean {
  const isPartOfIt = red.hypothesis.metric === one.hypothesis.metric && holds(one, red);
  return red.acceptance === null || one.acceptance === 'own' || isPartOfIt;
}

function saysTheSame(one: Judged, red: Judged): boolean {
  const [metric, redMetric] = [one.hypothesis.metric, red.hypothesis.metric];
  const isToldApart = one.isToldApart || red.isToldApart;
  const isSame = isToldApart ? metric === redMetric : tellTheSame(metric, redMetric);
  return isSame && (holds(one, red) || holds(red, one));
}

function holds({ caseKeys }: Judged, { caseKeys: parts }: Judged): boolean {
  return parts.every((key) => caseKeys.includes(key));
}
