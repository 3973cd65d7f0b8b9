import type { CaseComparison, Comparison, MetricComparison } from '../../comparison/comparison.ts';
import { metrics } from '../../metrics/registry.ts';

/** An endpoint of a service: what is judged over its cases, and the cases. One with a single case has nothing beside it. */
export interface EndpointGroup {
  service: string;
  endpoint: string;
  /** One, or one for each limit where they differ. */
  units: CaseComparison[];
  cases: CaseComparison[];
}

/** In the order of the cases. */
export function endpointGroups({ cases, endpoints }: Pick<Comparison, 'cases' | 'endpoints'>): EndpointGroup[] {
  const groups = new Map<string, EndpointGroup>();
  const groupOf = (each: CaseComparison): EndpointGroup => {
    const { service, endpoint } = each;
    const known = groups.get(placeOf(each)) ?? { service, endpoint, units: [], cases: [] };
    groups.set(placeOf(each), known);
    return known;
  };
  for (const each of cases) groupOf(each).cases.push(each);
  for (const unit of endpoints) groupOf(unit).units.push(unit);
  return [...groups.values()];
}

/** Names an endpoint of a service. */
export function placeOf({ service, endpoint }: Pick<CaseComparison, 'service' | 'endpoint'>): string {
  return JSON.stringify([service, endpoint]);
}

/** The endpoint of a case that a comparison names and does not hold, by its key: `api/users/direct/wrk/keep-alive/100`. */
export function endpointOfKey(key: string): Pick<CaseComparison, 'service' | 'endpoint'> {
  const [service = '', endpoint = ''] = key.split('/');
  return { service, endpoint };
}

/** All that is judged, the largest first: services, endpoints, cases. */
export function judgedIn({
  cases,
  endpoints,
  services,
}: Pick<Comparison, 'cases' | 'endpoints' | 'services'>): CaseComparison[] {
  return [...services, ...endpoints, ...cases];
}

/** The endpoint or service that a case is judged for in this metric; null where the case is judged by itself. */
export type UnitFor = (each: CaseComparison, metric: string) => CaseComparison | null;

export function unitFinder({ endpoints, services }: Pick<Comparison, 'endpoints' | 'services'>): UnitFor {
  const byPlace = new Map<string, CaseComparison[]>();
  const add = (place: string, unit: CaseComparison) => byPlace.set(place, [...(byPlace.get(place) ?? []), unit]);
  for (const unit of endpoints) add(placeOf(unit), unit);
  for (const unit of services) add(unit.service, unit);
  return (each, metric) => {
    const own = metricOf(each, metric);
    if (own === null) return null;
    // Memory is of the process, and so of the service alone.
    const place = isOfProcess(metric) ? each.service : placeOf(each);
    return byPlace.get(place)?.find((unit) => hasSameLimit(own, metricOf(unit, metric))) ?? null;
  };
}

function isOfProcess(metric: string): boolean {
  return metrics.some(({ name, ofProcess }) => name === metric && ofProcess);
}

/** Only cases with the same limit are judged together. */
function hasSameLimit({ threshold }: MetricComparison, unit: MetricComparison | null): boolean {
  if (unit === null || threshold === null || unit.threshold === null) return false;
  return threshold.kind === unit.threshold.kind && threshold.value === unit.threshold.value;
}

export function metricOf({ metrics: own }: CaseComparison, metric: string): MetricComparison | null {
  return Object.hasOwn(own, metric) ? own[metric]! : null;
}
