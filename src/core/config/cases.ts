import type { SpecLoad } from '../generators/load.ts';
import { type CaseLoad, GENERATOR_NAMES, type GeneratorName, generators } from '../generators/registry.ts';
import { keepAliveName, type Route } from '../measurement/names.ts';
import type { Case } from './case.ts';
import { isAsked } from './glob.ts';
import type { Endpoint, ResolvedSpec, Service } from './resolved.ts';

/** Every case of the spec, in the order of the file: services, endpoints, routes, generators, keep-alive, connections. */
export function casesOf(spec: ResolvedSpec): Case[] {
  return spec.services.flatMap((service) =>
    endpointsOf(spec, service).flatMap((endpoint) =>
      routesOf(spec, endpoint).flatMap((route) =>
        loadsOf(spec).flatMap(({ generator, keepAlive, connections, loadFor }) =>
          keepAlive.flatMap((kept) =>
            connections.map((number) =>
              caseOf(service, endpoint, route, generator, kept, number, longFor(service, loadFor(number))),
            ),
          ),
        ),
      ),
    ),
  );
}

/** How many `casesOf` gives, without making them. */
export function numberOfCases(spec: ResolvedSpec): number {
  const perRoute = loadsOf(spec).reduce((sum, load) => sum + load.keepAlive.length * load.connections.length, 0);
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

interface CasesOfGenerator {
  generator: GeneratorName;
  keepAlive: boolean[];
  connections: number[];
  loadFor(connections: number): CaseLoad;
}

function loadsOf({ load }: ResolvedSpec): CasesOfGenerator[] {
  return GENERATOR_NAMES.flatMap((generator) => {
    const own: SpecLoad | null = load[generator];
    if (own === null) return [];
    const { keepAlive, connections } = own;
    return [
      {
        generator,
        keepAlive,
        connections,
        loadFor: (number) => generators[generator].load.ofCase(own, number) as CaseLoad,
      },
    ];
  });
}

/** A service may have a duration of its own; of a generator that sends a number of requests it says nothing. */
function longFor({ durationSeconds }: Service, load: CaseLoad): CaseLoad {
  return durationSeconds === undefined || !('durationSeconds' in load) ? load : { ...load, durationSeconds };
}

function caseOf(
  service: Service,
  endpoint: Endpoint,
  route: Route,
  generator: GeneratorName,
  keepAlive: boolean,
  connections: number,
  load: CaseLoad,
): Case {
  const suffix = generators[generator].load.keySuffix(load);
  const parts = [service.name, endpoint.name, route, generator, keepAliveName(keepAlive), `${connections}${suffix}`];
  const key = parts.join('/');
  return { key, service, endpoint, route, generator, keepAlive, connections, load };
}
