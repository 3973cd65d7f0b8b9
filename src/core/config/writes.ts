import { isAsked } from './glob.ts';
import type { Endpoint, ResolvedSpec, Service } from './resolved.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

interface Asked {
  method: string;
  writes?: boolean;
  /** What is sent in its place, where its requests differ from each other. */
  requestSet?: { requests: readonly Asked[] };
}

/** Whether a request of the endpoint is taken to change data: by its method, unless the spec says it; of several, whether any does. */
export function isWriting({ method, writes, requestSet }: Asked): boolean {
  if (writes !== undefined) return writes;
  return requestSet === undefined ? !READING.has(method.toUpperCase()) : requestSet.requests.some(isWriting);
}

/** What a service may be asked without changing anything. */
export function readingEndpoints(endpoints: readonly Endpoint[], service: Pick<Service, 'endpoints'>): Endpoint[] {
  return endpoints.filter((endpoint) => isAsked(service.endpoints, endpoint) && !isWriting(endpoint));
}

/** Whether something beside the services of a spec keeps data: the database, or a dependency with `volumes`. */
function keepsData({ database, dependencies = [] }: Pick<ResolvedSpec, 'database' | 'dependencies'>): boolean {
  return database !== null || dependencies.some(({ volumes = [] }) => volumes.length > 0);
}

/** Whether a service has an endpoint that may change such data, so that they are put back between cases. */
export function changesData(
  { endpoints, ...spec }: Pick<ResolvedSpec, 'database' | 'dependencies' | 'endpoints'>,
  service: Pick<Service, 'endpoints' | 'role'>,
): boolean {
  if (!keepsData(spec) || service.role !== 'subject') return false;
  return endpoints.some((endpoint) => isAsked(service.endpoints, endpoint) && mayWrite(endpoint, endpoints));
}

/** The same of an endpoint whose file of requests has not been read yet, or that is a mix of others. */
export function mayWrite(endpoint: Endpoint, all: readonly Endpoint[]): boolean {
  const { writes, requests, mix } = endpoint;
  if (writes !== undefined) return writes;
  if (requests !== undefined) return true;
  return mix === undefined ? isWriting(endpoint) : all.some((each) => Object.hasOwn(mix, each.name) && isWriting(each));
}
