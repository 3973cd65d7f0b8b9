import type { Comparison, GateEntry } from '../../comparison/comparison.ts';
import { endpointGroups, judgedIn, placeOf, unitFinder } from './endpoint-groups.ts';
import { caseFindings, type FindingKind } from './findings.ts';
import { undecidedEntries } from './undecided-entries.ts';

/** Case key of an entry of the gate that is about no case: the run broke off, or measured nothing. */
export const wholeRun = '*';

/** Where something was found. A case counts where its endpoint does not. */
export interface Tally {
  services: number;
  endpoints: number;
  cases: number;
}

export interface ComparisonTally {
  endpoints: number;
  cases: number;
  regressed: Tally;
  accepted: Tally;
  improved: Tally;
  invalid: Tally;
  notMeasured: Tally;
  undecided: Tally;
  new: Tally;
  leftOut: Tally;
  /** Endpoints of which all that is judged is without change, with their cases. */
  unchanged: { endpoints: number; cases: number };
}

type Named = Pick<GateEntry, 'caseKey' | 'metric'>;

/** An endpoint that is several of these at once counts in each; `unchanged` is none of the others but `leftOut`. */
export function comparisonTally(comparison: Comparison): ComparisonTally {
  const { gate, cases } = comparison;
  const groups = endpointGroups(comparison);
  const tallyOf = tallier(comparison);
  const found = caseFindings(comparison).flatMap((each) => each.findings);
  const ofKind = (kind: FindingKind): Named[] =>
    found.filter((each) => each.kind === kind).map(({ key, metric }) => ({ caseKey: key, metric }));
  const red = [...ofKind('regression'), ...gate.regressions];
  const redKeys = new Set(red.map(({ caseKey }) => caseKey));
  const accepted = [...ofKind('accepted'), ...gate.accepted.filter(({ caseKey }) => !redKeys.has(caseKey))];
  const changed = [
    red,
    accepted,
    ofKind('improvement'),
    gate.invalid,
    gate.notMeasured,
    undecidedEntries(comparison),
    gate.new,
  ];
  const known = new Map(judgedIn(comparison).map((each) => [each.key, placeOf(each)]));
  const touched = new Set(changed.flat().flatMap(({ caseKey }) => known.get(caseKey) ?? []));
  const open = new Set(gate.inconclusive.flatMap(({ caseKey }) => known.get(caseKey) ?? []));
  const unchanged = groups.filter(
    ({ units, cases: own, ...group }) =>
      !touched.has(placeOf(group)) &&
      // What is open since something red says it already is not told, and is without change no more than that.
      !open.has(placeOf(group)) &&
      [...units, ...own].some(({ metrics }) => Object.values(metrics).some(({ verdict }) => verdict === 'no-change')),
  );
  const [regressed, ofAccepted, improved, invalid, notMeasured, undecided, fresh] = changed.map(tallyOf) as Tally[];
  const isLeftOut = new Set(gate.leftOut.map(({ caseKey }) => caseKey));
  const judgedCases = unchanged.flatMap(({ cases: own }) => own.filter(({ key }) => !isLeftOut.has(key)));
  return {
    endpoints: groups.length,
    cases: cases.length,
    regressed: regressed!,
    accepted: ofAccepted!,
    improved: improved!,
    invalid: invalid!,
    notMeasured: notMeasured!,
    undecided: undecided!,
    new: fresh!,
    leftOut: tallyOf(gate.leftOut),
    unchanged: { endpoints: unchanged.length, cases: judgedCases.length },
  };
}

/**
 * What is said of an endpoint counts as one: over its cases, of a metric that one of them alone has, or of all of them. All else that
 * is said of a case counts as a case.
 */
function tallier(comparison: Comparison): (entries: readonly Named[]) => Tally {
  const unitFor = unitFinder(comparison);
  const services = new Set(comparison.services.map(({ key }) => key));
  const units = new Map(comparison.endpoints.map((each) => [each.key, placeOf(each)]));
  const cases = new Map(comparison.cases.map((each) => [each.key, each]));
  const groups = endpointGroups(comparison);
  return (entries) => {
    const own = entries.filter(({ caseKey }) => caseKey !== wholeRun);
    const keys = new Set(own.map(({ caseKey }) => caseKey));
    const whole = groups.filter((group) => group.cases.length > 0 && group.cases.every(({ key }) => keys.has(key)));
    const places = new Set(whole.map(placeOf));
    for (const { caseKey, metric } of own) {
      const [unit, each] = [units.get(caseKey), cases.get(caseKey)];
      if (unit !== undefined) places.add(unit);
      if (each !== undefined && metric !== null && unitFor(each, metric) === null) places.add(placeOf(each));
    }
    const rest = [...keys].filter((key) => {
      const each = cases.get(key);
      return !services.has(key) && !units.has(key) && (each === undefined || !places.has(placeOf(each)));
    });
    return {
      services: [...keys].filter((key) => services.has(key)).length,
      endpoints: places.size,
      cases: rest.length,
    };
  };
}

/** Of a headline: `2 undecided`. A service counts where nothing of it does. */
export function numberOf({ services, endpoints, cases }: Tally): number {
  return endpoints + cases === 0 ? services : endpoints + cases;
}

export function isAny(tally: Tally): boolean {
  return numberOf(tally) > 0;
}

/** `1 of 4 endpoints`, `2 of 20 cases`, `1 of 4 endpoints and 2 cases`; empty of the only one, and of services. */
export function placesText({ endpoints, cases }: Tally, all: Pick<ComparisonTally, 'endpoints' | 'cases'>): string {
  if (all.cases === 1 || endpoints + cases === 0 || (all.endpoints === 1 && cases === 0)) return '';
  if (endpoints === 0) return `${cases} of ${all.cases} cases`;
  const also = cases === 0 ? '' : ` and ${cases} ${cases === 1 ? 'case' : 'cases'}`;
  return `${endpoints} of ${all.endpoints} endpoints${also}`;
}
