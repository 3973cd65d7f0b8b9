import { isAsked } from './glob.ts';
import type { Endpoint, ResolvedSpec, Service } from './resolved.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request of the endpoint is taken to change data: by its method, unless the spec says it. */
export function isWriting({ method, writes }: Pick<Endpoint, 'method' | 'writes'>): boolean {
  return writes ?? !READING.has(method.toUpperCase());
}

/** What a service may be asked without changing anything. */
export function readingEndpoints(endpoints: readonly Endpoint[], service: Pick<Service, 'endpoints'>): Endpoint[] {
  return endpoints.filter((endpoint) => isAsked(service.endpoints, endpoint) && !isWriting(endpoint));
}

/** Whether something beside the services of a spec keeps data: the database, or a dependency with `volumes`. */
function keepsData({ database, dependencies = [] }: Pick<ResolvedSpec, 'database' | 'dependencies'>): boolean {
  return database !== null || dependencies.some(({ volumes = [] }) => volumes.length > 0);
}

/** Whether a service has an endpoint that changes such data, so that they are put back between cases. */
export function changesData(
  { endpoints, ...spec }: Pick<ResolvedSpec, 'database' | 'dependencies' | 'endpoints'>,
  service: Pick<Service, 'endpoints' | 'role'>,
): boolean {
  if (!keepsData(spec) || service.role !== 'subject') return false;
  return endpoints.some((endpoint) => isAsked(service.endpoints, endpoint) && isWriting(endpoint));
}
