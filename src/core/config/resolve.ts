import { isUnread } from './asked-endpoint.ts';
import { isAsked } from './glob.ts';
import { mixedEndpoints } from './mix.ts';
import type { Endpoint, ResolvedSpec, Service } from './resolved.ts';
import { spec, type WrittenSpec } from './spec.ts';

/** The spec with every default filled in and every unit made explicit. What is written must make sense already. */
export function resolve(written: WrittenSpec): ResolvedSpec {
  const read = spec.read(written);
  const endpoints = [...read.endpoints, ...mixedEndpoints(written.mix)];
  return { ...read, endpoints, services: read.services.map((service) => withReadyPath(service, endpoints)) };
}

/** Asked by GET where the spec says nothing: an endpoint that takes another method may have no answer to that. */
function withReadyPath(service: ReturnType<typeof spec.read>['services'][number], endpoints: Endpoint[]): Service {
  const first = endpoints.find((each) => each.method === 'GET' && !isUnread(each) && isAsked(service.endpoints, each));
  const { path = `${service.basePath}${first?.path ?? '/'}`, timeoutSeconds } = service.ready;
  return { ...service, ready: { path, timeoutSeconds } };
}
