import type { CaseComparison, Comparison } from '../../comparison/comparison.ts';
import { counted } from '../../format/figures.ts';
import { type Outcome, outcomes } from './by-verdict.ts';
import { type EndpointGroup, endpointGroups, endpointOfKey, judgedIn, placeOf } from './endpoint-groups.ts';

/** Case key of an entry of the gate that is about no case: the run broke off, or measured nothing. */
export const wholeRun = '*';

/** Where something is the most severe that was found. */
export interface Tally {
  endpoints: number;
  /** Of which that is so as a whole, and of none of their endpoints. */
  services: number;
}

const KINDS = [
  'regressed',
  'invalid',
  'notMeasured',
  'undecided',
  'accepted',
  'improved',
  'new',
  'beyond',
  'unchanged',
  'unjudged',
] as const;
export type TallyKind = (typeof KINDS)[number];

/** Each endpoint is counted once, so that those of all kinds are all endpoints. */
export interface ComparisonTally extends Record<TallyKind, Tally> {
  endpoints: number;
  cases: number;
  /** That are judged, of the endpoints without change. */
  unchangedCases: number;
  /** Cases, as their endpoints are judged all the same. */
  leftOut: number;
}

/** What an endpoint counts as. What is left open beside something red is undecided as well. */
const KIND_OF: Record<Outcome, TallyKind> = {
  regression: 'regressed',
  invalid: 'invalid',
  'not-measured': 'notMeasured',
  undecided: 'undecided',
  accepted: 'accepted',
  improvement: 'improved',
  new: 'new',
  beyond: 'beyond',
  'left-open': 'undecided',
  unchanged: 'unchanged',
};

export function comparisonTally(comparison: Comparison): ComparisonTally {
  const { gate, cases, services } = comparison;
  const outcomeOf = outcomes(comparison);
  const groups = [...endpointGroups(comparison), ...lostEndpoints(comparison)].map((group) => {
    const kind = KIND_OF[outcomeOf(group)];
    const isJudged = kind !== 'unchanged' || [...group.units, ...group.cases].some(isWithoutChange);
    return { ...group, kind: isJudged ? kind : ('unjudged' as const) };
  });
  const found = Object.fromEntries(
    KINDS.map((kind) => {
      const own = groups.filter((group) => group.kind === kind);
      const told = new Set(own.map(({ service }) => service));
      const wholes = services.filter((each) => {
        const outcome = outcomeOf(each);
        return !NO_FINDING.has(outcome) && KIND_OF[outcome] === kind && !told.has(each.service);
      });
      return [kind, { endpoints: own.length, services: new Set(wholes.map(({ service }) => service)).size }];
    }),
  ) as Record<TallyKind, Tally>;
  const aside = new Set([...gate.leftOut, ...gate.beyond].map(({ caseKey }) => caseKey));
  const unchanged = groups.filter(({ kind }) => kind === 'unchanged').flatMap((group) => group.cases);
  return {
    ...found,
    endpoints: groups.length,
    cases: cases.length,
    unchangedCases: unchanged.filter(({ key }) => !aside.has(key)).length,
    leftOut: new Set(gate.leftOut.map(({ caseKey }) => caseKey)).size,
  };
}

/** Of which a run says nothing, although it was to measure them. */
function lostEndpoints(comparison: Comparison): EndpointGroup[] {
  const judged = judgedIn(comparison);
  const [known, places] = [new Set(judged.map(({ key }) => key)), new Set(judged.map(placeOf))];
  const lost = comparison.gate.invalid.flatMap(({ caseKey }) =>
    caseKey === wholeRun || known.has(caseKey) ? [] : [endpointOfKey(caseKey)],
  );
  const groups = new Map(lost.map((each) => [placeOf(each), { ...each, units: [], cases: [] }]));
  return [...groups].flatMap(([place, group]) => (places.has(place) ? [] : [group]));
}

/** Of a service as a whole: what its endpoints say already. */
const NO_FINDING: ReadonlySet<Outcome> = new Set(['unchanged', 'left-open', 'beyond']);

export function isWithoutChange({ metrics: own }: CaseComparison): boolean {
  return Object.values(own).some(({ verdict }) => verdict === 'no-change');
}

const WORDS: Record<TallyKind, string> = {
  regressed: 'worse',
  invalid: 'invalid',
  notMeasured: 'not measured',
  undecided: 'undecided',
  accepted: 'accepted',
  improved: 'better',
  new: 'new',
  beyond: 'beyond the service',
  unchanged: 'without change',
  unjudged: 'not judged',
};

/** Nothing was found in them. */
const WITHOUT_FINDING: ReadonlySet<TallyKind> = new Set(['unchanged', 'unjudged']);

/**
 * `2 undecided`, `1 without change`, the most severe first: behind a sentence that says how many of all endpoints are `said`, they are the
 * rest of these. Where it says so of none, those in which nothing was found go without saying.
 */
export function countsBeside(
  tally: ComparisonTally,
  said: TallyKind | null,
  also: Partial<Record<TallyKind, string>> = {},
): string[] {
  const isOfAll = said !== null && tally[said].endpoints > 0;
  return KINDS.filter((kind) => kind !== said && isAny(tally[kind]) && (isOfAll || !WITHOUT_FINDING.has(kind))).map(
    (kind) => `${numberText(tally[kind])} ${WORDS[kind]}${also[kind] ?? ''}`,
  );
}

/** A service is named as one. */
function numberText({ endpoints, services }: Tally): string {
  return endpoints > 0 ? String(endpoints) : counted(services, 'service');
}

/** A service counts where nothing of it does. */
export function numberOf({ services, endpoints }: Tally): number {
  return endpoints === 0 ? services : endpoints;
}

export function isAny(tally: Tally): boolean {
  return numberOf(tally) > 0;
}

/** `1 of 4 endpoints`; empty of the only one, and of services. */
export function placesText({ endpoints }: Tally, all: Pick<ComparisonTally, 'endpoints'>): string {
  return all.endpoints === 1 || endpoints === 0 ? '' : `${endpoints} of ${all.endpoints} endpoints`;
}

/** `1 of 20 cases left out`; none where there are none. */
export function leftOutText({ leftOut, cases }: ComparisonTally): string[] {
  return leftOut === 0 ? [] : [`${leftOut} of ${counted(cases, 'case')} left out`];
}
