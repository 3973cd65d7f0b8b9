import { isAsked } from './glob.ts';
import type { Endpoint, ResolvedSpec, Service } from './resolved.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request of the endpoint is taken to change data: by its method, unless the spec says it. */
export function isWriting({ method, writes }: Pick<Endpoint, 'method' | 'writes'>): boolean {
  return writes ?? !READING.has(method.toUpperCase());
}

/** Whether a service has an endpoint that changes the data of its database, so that they are put back between cases. */
export function changesData(
  { database, endpoints }: Pick<ResolvedSpec, 'database' | 'endpoints'>,
  service: Pick<Service, 'endpoints' | 'role'>,
): boolean {
  if (database === null || service.role !== 'subject') return false;
  return endpoints.some((endpoint) => isAsked(service.endpoints, endpoint) && isWriting(endpoint));
}
