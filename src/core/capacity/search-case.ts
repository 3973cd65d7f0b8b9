import { type Case, endpointsOf } from '../config/case.ts';
import type { CapacitySearch, Endpoint, ResolvedSpec, Service } from '../config/resolved.ts';
import { isSelected } from '../config/selection.ts';
import type { SpecLoad } from '../generators/load.ts';
import { type CaseLoad, generators } from '../generators/registry.ts';
import { keepAliveName } from '../measurement/names.ts';
import { levelsOf } from './bisection.ts';

/** The search of one endpoint of one service. */
export interface EndpointSearch {
  search: CapacitySearch;
  service: Service;
  endpoint: Endpoint;
  /** Lowest first. */
  levels: number[];
  /** What is measured at a level. */
  caseAt(level: number): Case;
}

/** In the order of the file: services, then endpoints. `only` is the glob of the run; null stands for all. */
export function searchesOf(spec: ResolvedSpec, only: string | null): EndpointSearch[] {
  const { search } = spec;
  if (search === undefined) return [];
  const isSearched = ({ name }: Endpoint) => search.endpoint === null || search.endpoint === name;
  return spec.services.flatMap((service) =>
    endpointsOf(spec, service)
      .filter(isSearched)
      .flatMap((endpoint) => {
        const found = searchOf(spec, search, service, endpoint);
        return isSelected(found.caseAt(search.from), only) ? [found] : [];
      }),
  );
}

function searchOf(spec: ResolvedSpec, search: CapacitySearch, service: Service, endpoint: Endpoint): EndpointSearch {
  const caseAt = (level: number) => caseOf(spec, search, service, endpoint, level);
  const threads = generators[search.generator].threadsOf(caseAt(search.to).load) ?? 1;
  const levels = levelsOf(search, search.find === 'connections' ? threads : 1);
  return { search, service, endpoint, levels, caseAt };
}

function caseOf(spec: ResolvedSpec, search: CapacitySearch, service: Service, endpoint: Endpoint, level: number): Case {
  const { generator, durationSeconds } = search;
  const isRate = search.find === 'rate';
  const { load: definition } = generators[generator];
  const connections = isRate ? search.connections : level;
  // Threads, time limits and scripts as the spec has them for this generator.
  const own: SpecLoad = spec.load[generator] ?? definition.keys.read({});
  const load = {
    ...definition.ofCase(own, connections),
    durationSeconds,
    ...(isRate ? { arrival: { kind: 'rate', requestsPerSecond: level } } : {}),
  } as CaseLoad;
  const parts = [service.name, endpoint.name, 'direct', generator, keepAliveName(true)];
  const key = [...parts, `${connections}${definition.keySuffix(load)}`].join('/');
  return { key, service, endpoint, route: 'direct', generator, keepAlive: true, connections, load };
}
