import type { CaseComparison, Comparison, GateEntry } from '../../comparison/comparison.ts';
import type { Row } from '../document.ts';
import { endpointGroups, endpointOfKey, judgedIn, placeOf } from './endpoint-groups.ts';
import { caseFindings, type FindingKind } from './findings.ts';
import { undecidedEntries } from './undecided-entries.ts';

/** What was found of an endpoint as a whole: the most severe of what was found of it and of its cases. */
export type Outcome =
  | 'regression'
  | 'invalid'
  | 'not-measured'
  | 'undecided'
  | 'accepted'
  | 'improvement'
  | 'new'
  /** All of its cases are more than the service answers in time. */
  | 'beyond'
  /** Undecided, since something red says as much: it was waited for no longer, and is no claim of no change. */
  | 'left-open'
  | 'unchanged';

/** In the order in which a reader wants to see them. */
const order: Outcome[] = [
  'regression',
  'invalid',
  'not-measured',
  'undecided',
  'accepted',
  'improvement',
  'new',
  'beyond',
  'left-open',
  'unchanged',
];

/** Endpoints, and services as a whole, by `placeOf`. */
export function outcomes(comparison: Comparison): (each: Pick<CaseComparison, 'service' | 'endpoint'>) => Outcome {
  const { gate } = comparison;
  const places = new Map(judgedIn(comparison).map((each) => [each.key, placeOf(each)]));
  const found = new Map<string, Outcome>();
  const note = (keys: readonly string[], outcome: Outcome) => {
    for (const key of keys) {
      const place = places.get(key) ?? placeOf(endpointOfKey(key));
      const known = found.get(place) ?? 'unchanged';
      if (order.indexOf(outcome) < order.indexOf(known)) found.set(place, outcome);
    }
  };
  const keysOf = (entries: readonly Pick<GateEntry, 'caseKey'>[]) => entries.map(({ caseKey }) => caseKey);
  const findings = caseFindings(comparison).flatMap((each) => each.findings);
  const ofKind = (kind: FindingKind) => findings.filter((each) => each.kind === kind).map(({ key }) => key);
  note([...ofKind('regression'), ...keysOf(gate.regressions)], 'regression');
  note(keysOf(gate.invalid), 'invalid');
  note(keysOf(gate.notMeasured), 'not-measured');
  note(keysOf(undecidedEntries(comparison)), 'undecided');
  note([...ofKind('accepted'), ...keysOf(gate.accepted)], 'accepted');
  note(ofKind('improvement'), 'improvement');
  note(keysOf(gate.new), 'new');
  const beyond = new Set(keysOf(gate.beyond));
  const wholes = endpointGroups(comparison).filter(({ cases }) => cases.every(({ key }) => beyond.has(key)));
  note(
    wholes.flatMap(({ cases }) => cases.map(({ key }) => key)),
    'beyond',
  );
  note(keysOf(gate.inconclusive), 'left-open');
  return (each) => found.get(placeOf(each)) ?? 'unchanged';
}

/** What the row of it says, for a page that can leave out what did not change. */
export function unchangedOf(outcome: Outcome): Pick<Row, 'unchanged'> {
  return ['unchanged', 'undecided', 'left-open'].includes(outcome) ? { unchanged: true } : {};
}

export function bySeverity(one: Outcome, other: Outcome): number {
  return order.indexOf(one) - order.indexOf(other);
}

/** The same comparison with what is red first, the worst before all, then what is open, what got better and all else. */
export function byVerdict(comparison: Comparison): Comparison {
  const outcomeOf = outcomes(comparison);
  const places = new Map(judgedIn(comparison).map((each) => [each.key, placeOf(each)]));
  const found = caseFindings(comparison).map(({ key }) => places.get(key));
  const weight = (each: CaseComparison) => {
    const index = found.indexOf(placeOf(each));
    return index === -1 ? found.length : index;
  };
  const sorted = (all: readonly CaseComparison[]) =>
    [...all].sort((one, other) => bySeverity(outcomeOf(one), outcomeOf(other)) || weight(one) - weight(other));
  const { services, endpoints, cases } = comparison;
  return { ...comparison, services: sorted(services), endpoints: sorted(endpoints), cases: sorted(cases) };
}

/** Names of endpoints, the most severe of any service first; none where nothing tells them apart. */
export function endpointsByVerdict(comparison: Comparison | null): string[] {
  return comparison === null ? [] : [...new Set(byVerdict(comparison).cases.map(({ endpoint }) => endpoint))];
}
