import type { Endpoint, ResolvedSpec, Service } from '../config/resolved.ts';
import { redactedSpec } from '../record/redaction.ts';
import { requestLine, sameRequest } from './wire-request.ts';

/** A service of the candidate's spec and that of the baseline's which it is compared with. */
type Shared = [service: Service, before: Service];

/**
 * The candidate's spec with the requests of the baseline's: base paths, and of each endpoint that both have method, path, headers and
 * body, with the answer that the baseline's expects of a request that is another one. A change cannot choose the requests that it
 * is gated by. Endpoints that only the candidate has keep their whole paths. Null where one spec cannot say both.
 */
export function withRequestsOf(baseline: ResolvedSpec, candidate: ResolvedSpec): ResolvedSpec | null {
  const shared = sharedServices(baseline, candidate);
  if (shared.length === 0) return candidate;
  const before = new Map(shared.map(([{ name }, of]) => [name, of.basePath]));
  const others = candidate.services.filter(({ name }) => !before.has(name));
  const endpoints: Endpoint[] = [];
  for (const own of candidate.endpoints) {
    const asked = endpointOf(baseline, own.name);
    const path = asked === undefined ? newPath(own, shared, others.length > 0) : asked.path;
    if (path === null) return null;
    if (asked === undefined) endpoints.push({ ...own, path });
    else endpoints.push(isAskedAlike(own, asked, shared) ? { ...asked, expect: own.expect } : asked);
  }
  const services = candidate.services.map((service) => ({
    ...service,
    basePath: before.get(service.name) ?? service.basePath,
  }));
  return { ...candidate, services, endpoints };
}

/** Endpoints of both specs for which the candidate's asks a service that both have for something else. */
export function endpointsAskedOtherwise(candidate: ResolvedSpec, baseline: ResolvedSpec): Set<string> {
  const shared = sharedServices(baseline, candidate);
  const both = candidate.endpoints.flatMap((own) => {
    const asked = endpointOf(baseline, own.name);
    return asked === undefined || isAskedAlike(own, asked, shared) ? [] : [own.name];
  });
  return new Set(both);
}

/**
 * `service/endpoint` → the request of the candidate's own spec, as a record may hold it, where the baseline's, which both sides are asked, is
 * another one.
 */
export function ownRequests(candidate: ResolvedSpec, baseline: ResolvedSpec): Record<string, string> {
  const [shown, shownBefore] = [redactedSpec(candidate), redactedSpec(baseline)];
  const found = sharedServices(baseline, candidate).flatMap(([service, before]) =>
    candidate.endpoints.flatMap((own): [string, string][] => {
      const { name } = own;
      const asked = endpointOf(baseline, name);
      if (asked === undefined || sameRequest([service, own], [before, asked])) return [];
      const line = requestLine([service, endpointOf(shown, name)!], [before, endpointOf(shownBefore, name)!]);
      return [[requestKey(service.name, name), line]];
    }),
  );
  return Object.fromEntries(found);
}

export function requestKey(service: string, endpoint: string): string {
  return `${service}/${endpoint}`;
}

/** Services that both have and ask in the same protocol: a server of one need not answer in another. */
function sharedServices(baseline: ResolvedSpec, candidate: ResolvedSpec): Shared[] {
  return candidate.services.flatMap((service): Shared[] => {
    const before = baseline.services.find(({ name }) => name === service.name);
    return before === undefined || before.protocol !== service.protocol ? [] : [[service, before]];
  });
}

function endpointOf({ endpoints }: ResolvedSpec, wanted: string): Endpoint | undefined {
  return endpoints.find(({ name }) => name === wanted);
}

function isAskedAlike(own: Endpoint, asked: Endpoint, shared: readonly Shared[]): boolean {
  return shared.every(([service, before]) => sameRequest([service, own], [before, asked]));
}

/** Behind the baseline's base paths, so that the whole path stays; null where no path does that for every service. */
function newPath({ path }: Endpoint, shared: readonly Shared[], hasOthers: boolean): string | null {
  const paths = new Set([
    ...(hasOthers ? [path] : []),
    ...shared.map(([{ basePath }, before]) => behind(before.basePath, basePath + path)),
  ]);
  return paths.size === 1 ? [...paths][0]! : null;
}

function behind(basePath: string, whole: string): string | null {
  return whole.startsWith(`${basePath}/`) ? whole.slice(basePath.length) : null;
}
