import type { InvokedCase } from '../generators/definition.ts';
import type { SpecLoad } from '../generators/load.ts';
import { type CaseLoad, GENERATOR_NAMES, type GeneratorName, generators } from '../generators/registry.ts';
import { keepAliveName, type Route } from '../measurement/names.ts';
import type { AskedEndpoint } from './asked-endpoint.ts';
import { isAsked } from './glob.ts';
import type { Endpoint, ResolvedSpec, Service } from './resolved.ts';

/**
 * service x endpoint x route x generator x keep-alive x connections (or rate): what one row of a result table stands for.
 * `key` is unique in a plan, stable between runs of the same spec, and made of its parts:
 *
 *     go/db-ping/direct/wrk/keep-alive/100        go/ping/gateway/k6/keep-alive-off/100@60%
 */
export interface Case extends InvokedCase {
  service: Service;
  endpoint: AskedEndpoint;
  route: Route;
  generator: GeneratorName;
  load: CaseLoad;
}

/** Whether each request takes a connection of its own: the generator closes it, or the service does. */
export function closesEach({ keepAlive, service }: Pick<Case, 'keepAlive' | 'service'>): boolean {
  return !keepAlive || service.keepAlive === 'closes';
}

/** Every case of the spec, in the order of the file: services, endpoints, routes, generators, keep-alive, connections. */
export function casesOf(spec: ResolvedSpec): Case[] {
  return spec.services.flatMap((service) =>
    endpointsOf(spec, service).flatMap((endpoint) =>
      routesOf(spec, endpoint).flatMap((route) =>
        loadsOf(spec).flatMap(([generator, load]) =>
          load.keepAlive.flatMap((keepAlive) =>
            load.connections.map((connections) => {
              const own = generators[generator].load.ofCase(load, connections) as CaseLoad;
              return withKey({
                service,
                endpoint,
                route,
                generator,
                keepAlive,
                connections,
                load: longFor(service, own),
              });
            }),
          ),
        ),
      ),
    ),
  );
}

/** How many `casesOf` gives, without making them. */
export function numberOfCases(spec: ResolvedSpec): number {
  const perRoute = loadsOf(spec).reduce((sum, [, load]) => sum + load.keepAlive.length * load.connections.length, 0);
  const routes = spec.services.flatMap((service) =>
    endpointsOf(spec, service).map((endpoint) => routesOf(spec, endpoint).length),
  );
  return routes.reduce((sum, each) => sum + each, 0) * perRoute;
}

/** What this service is asked, in the order of the file. */
export function endpointsOf({ endpoints }: Pick<ResolvedSpec, 'endpoints'>, service: Service): Endpoint[] {
  return endpoints.filter((endpoint) => isAsked(service.endpoints, endpoint));
}

function routesOf({ gateway }: ResolvedSpec, { name }: Endpoint): Route[] {
  return gateway !== null && isAsked(gateway.endpoints, { name }) ? ['direct', 'gateway'] : ['direct'];
}

function loadsOf({ load }: ResolvedSpec): [GeneratorName, SpecLoad][] {
  return GENERATOR_NAMES.flatMap((name) => (load[name] === null ? [] : [[name, load[name]]]));
}

/** A service may have a duration of its own; of a generator that sends a number of requests it says nothing. */
function longFor({ durationSeconds }: Service, load: CaseLoad): CaseLoad {
  return durationSeconds === undefined || !('durationSeconds' in load) ? load : { ...load, durationSeconds };
}

function withKey(parts: Omit<Case, 'key'>): Case {
  const { service, endpoint, route, generator, keepAlive, connections, load } = parts;
  const number = `${connections}${generators[generator].load.keySuffix(load)}`;
  return { key: [service.name, endpoint.name, route, generator, keepAliveName(keepAlive), number].join('/'), ...parts };
}
