import { caseWeight, loadOf } from '../../src/core/comparison/case-weight.ts';
import { gatedOn } from '../../src/core/comparison/gating.ts';
import { serviceKey } from '../../src/core/comparison/unit-key.ts';
import { keepAliveName } from '../../src/core/measurement/names.ts';
import { metrics } from '../../src/core/metrics/registry.ts';
import { type GatedMetric, METRIC_NAMES, type Series } from './source.ts';

const SERVICE = 'node';

/**
 * The standard matrix, of so many endpoints, the latter half with a database: for each wrk with 100 and 1000 connections, keep-alive
 * on and off, and one case of k6 at a fixed rate. With all that the default gate judges of it.
 */
export function standardMatrix(endpoints: number): Series[] {
  const names = Array.from({ length: endpoints }, (_, index) =>
    index < endpoints / 2 ? `plain-${index + 1}` : `db-${index + 1}`,
  );
  const keys = names.flatMap((endpoint) => [
    ...[true, false]
      .map(keepAliveName)
      .flatMap((reuse) =>
        [100, 1000].map((connections) => `${SERVICE}/${endpoint}/direct/wrk/${reuse}/${connections}`),
      ),
    `${SERVICE}/${endpoint}/direct/k6/keep-alive/100@60%`,
  ]);
  return [
    ...keys.flatMap((caseKey) =>
      gatedMetrics(generatorOf(caseKey), asksDatabase(caseKey)).map((metric) =>
        seriesOf(caseKey, metric, caseWeight({ generator: generatorOf(caseKey), key: caseKey })),
      ),
    ),
    serviceMemory(SERVICE),
  ];
}

/** What the product gates on a case of an endpoint that both generators load, by whether it asks the database. */
export function gatedMetrics(generator: 'wrk' | 'k6', database: boolean): GatedMetric[] {
  const load = { closedLoop: true, fixedRate: true, sendsStatements: database };
  return METRIC_NAMES.filter((name) => {
    const metric = metrics.find((each) => each.name === name)!;
    return gatedOn(metric, { generator, key: generator === 'k6' ? '@60%' : '' }, load) !== null;
  });
}

export function seriesOf(caseKey: string, metric: GatedMetric, weight = 1): Series {
  const own = { id: `${caseKey} ${metric}`, caseKey, metric, weight };
  if (isOfService(own)) return own;
  const load = loadOf({ service: SERVICE, generator: generatorOf(caseKey), key: caseKey });
  return { ...own, like: { endpoint: endpointOf(caseKey), load } };
}

/** Memory is judged of the process, over all of its cases. */
export function serviceMemory(service: string): Series {
  return seriesOf(serviceKey(service), 'memory-peak');
}

export function isOfService({ caseKey }: Pick<Series, 'caseKey'>): boolean {
  return caseKey.endsWith('/*');
}

export function generatorOf(caseKey: string): 'wrk' | 'k6' {
  return caseKey.includes('/k6/') ? 'k6' : 'wrk';
}

export function endpointOf(caseKey: string): string {
  return caseKey.split('/')[1]!;
}

export function asksDatabase(caseKey: string): boolean {
  return /^(db-|users$)/.test(endpointOf(caseKey));
}

export function connectionsOf(caseKey: string): number {
  return Number.parseInt(caseKey.slice(caseKey.lastIndexOf('/') + 1), 10);
}
