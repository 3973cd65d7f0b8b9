import type { Comparison, GateEntry } from '../../comparison/comparison.ts';
import { metricOf } from './endpoint-groups.ts';

/**
 * What is open and worth telling: not a service of which an endpoint is red in the same metric, which leaves nobody in doubt about the
 * service.
 */
export function undecidedEntries({ gate, services, endpoints, cases }: Comparison): GateEntry[] {
  const serviceOf = new Map(services.map(({ key, service }) => [key, service]));
  const red = new Set(gate.regressions.map(({ caseKey, metric }) => `${metric} ${caseKey}`));
  return gate.inconclusive.filter(({ caseKey, metric }) => {
    const service = serviceOf.get(caseKey);
    if (service === undefined || metric === null) return true;
    return ![...endpoints, ...cases].some(
      (each) => each.service === service && metricOf(each, metric) !== null && red.has(`${metric} ${each.key}`),
    );
  });
}
