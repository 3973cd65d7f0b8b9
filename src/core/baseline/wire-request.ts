import type { Case } from '../config/case.ts';
import type { Endpoint, Gateway, ResolvedSpec, Service } from '../config/resolved.ts';
import { generators } from '../generators/registry.ts';
import type { Route } from '../measurement/names.ts';
import { isOfLogin } from '../requests/request-values.ts';
import { canonicalText } from './canonical.ts';

type Asked = Pick<Service, 'basePath' | 'protocol'>;

/**
 * Whether a service is sent the same request for an endpoint, as it goes over the wire: a path may be split into base path and path in
 * any way. It is another one where an answer of another kind is expected: a server that refuses costs less than one that answers.
 */
export function sameRequest(one: [Asked, Endpoint], other: [Asked, Endpoint]): boolean {
  return canonicalText(wireRequest(...one)) === canonicalText(wireRequest(...other));
}

function wireRequest({ basePath, protocol }: Asked, endpoint: Endpoint) {
  const { method, path, headers, body, expect, content, values, requests, mix } = endpoint;
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  const statusClass = Math.floor(expect.status / 100);
  const target = basePath + path;
  return {
    ...{ protocol, method: method.toUpperCase(), target, headers: Object.fromEntries(named), body, statusClass },
    ...{ content, values, requests, mix },
  };
}

/** `GET /api/users`, with what else of the other request is different. */
export function requestLine([service, endpoint]: [Asked, Endpoint], other: [Asked, Endpoint]): string {
  const [own, theirs] = [wireRequest(service, endpoint), wireRequest(...other)];
  const differs = (key: keyof typeof own) => canonicalText(own[key] ?? null) !== canonicalText(theirs[key] ?? null);
  const more = [
    ...(differs('headers') ? ['other headers'] : []),
    ...(differs('body') || differs('content') ? ['another body'] : []),
    ...(differs('values') ? ['other values'] : []),
    ...(differs('requests') ? ['another file of requests'] : []),
    ...(differs('mix') ? ['another mix'] : []),
    ...(differs('protocol') ? [`protocol ${own.protocol}`] : []),
    ...(differs('statusClass') ? [`status ${endpoint.expect.status}`] : []),
  ];
  return `${own.method} ${own.target}${more.length === 0 ? '' : ` with ${more.join(', ')}`}`;
}

/** A case, and the spec that it is of. */
interface CaseOfSpec {
  of: Case;
  spec: ResolvedSpec;
}

/**
 * How one case is asked otherwise than another: by its request as it is written, the gateway's configuration, the script, the login
 * that a part of the request comes from, or the time after which an answer is given up. `GET /quick instead of GET /users`; null where it is asked the same.
 */
export function askedOtherwise(one: CaseOfSpec, other: CaseOfSpec): string | null {
  const [asked, before] = [one, other].map(({ of: { service, endpoint } }): [Asked, Endpoint] => [service, endpoint]);
  if (!sameRequest(asked!, before!))
    return `${requestLine(asked!, before!)} instead of ${requestLine(before!, asked!)}`;
  const differing = Object.entries(BESIDE_REQUEST).find(([, of]) => of(one) !== of(other));
  return differing === undefined ? null : `with another ${differing[0]}`;
}

const BESIDE_REQUEST: Record<string, (each: CaseOfSpec) => string | number | null> = {
  'configuration of the gateway': ({ of, spec }) => configOf(of.route, spec.gateway),
  script: ({ of: { load } }) => generators[load.generator].load.scriptOf(load),
  login: ({ of: { endpoint }, spec }) => (isOfLogin(endpoint) ? canonicalText(spec.login ?? null) : null),
  timeout: ({ of: { load } }) => ('timeoutSeconds' in load ? load.timeoutSeconds : null),
};

function configOf(route: Route, gateway: Gateway | null): string | null {
  return route === 'gateway' ? (gateway?.config ?? null) : null;
}
