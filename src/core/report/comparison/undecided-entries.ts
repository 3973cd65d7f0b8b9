import type { CaseComparison, Comparison, GateEntry } from '../../comparison/comparison.ts';
import { tellTheSame } from '../../metrics/registry.ts';
import { judgedIn, metricOf, unitFinder } from './endpoint-groups.ts';

/**
 * What is open and worth telling: not what something red says already, for which nothing more was measured (`comparison/waiting.ts`): an
 * endpoint of a service that is red, a service of which an endpoint is, the throughput of an endpoint whose CPU time is red. What somebody
 * has accepted says nothing.
 */
export function undecidedEntries(comparison: Comparison): GateEntry[] {
  const { gate, services, cases } = comparison;
  const known = new Map(judgedIn(comparison).map((each) => [each.key, each]));
  const unitFor = unitFinder(comparison);
  const isService = new Set(services.map(({ key }) => key));
  const isCase = new Set(cases.map(({ key }) => key));
  const red = gate.regressions.flatMap(({ caseKey, metric }) => {
    const each = known.get(caseKey);
    if (each === undefined || metric === null || metricOf(each, metric)?.verdict !== 'regression') return [];
    return [{ each, metric, isCaseAlone: isCase.has(caseKey) && unitFor(each, metric) !== null }];
  });
  return gate.inconclusive.filter(({ caseKey, metric }) => {
    const open = known.get(caseKey);
    if (open === undefined || metric === null) return true;
    // A case that is red by itself leaves nobody in doubt about its service, and tells little of its endpoint.
    const own = red.filter(({ isCaseAlone }) => !isCaseAlone || isService.has(caseKey));
    return !own.some((one) => tellTheSame(one.metric, metric) && isPartOf(one.each, open, isService));
  });
}

/** Whether both are of one endpoint, or one of them is the service of the other. */
function isPartOf(one: CaseComparison, other: CaseComparison, isService: ReadonlySet<string>): boolean {
  if (one.service !== other.service) return false;
  return one.endpoint === other.endpoint || isService.has(one.key) || isService.has(other.key);
}
