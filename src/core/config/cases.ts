import type { SpecLoad } from '../generators/load.ts';
import { type CaseLoad, GENERATOR_NAMES, type GeneratorName, generators } from '../generators/registry.ts';
import { keepAliveName, type Route } from '../measurement/names.ts';
import type { Case } from './case.ts';
import { matchesGlob } from './glob.ts';
import type { Endpoint, ResolvedSpec, Service } from './resolved.ts';

/** Every case of the spec, in the order of the file: services, endpoints, routes, generators, keep-alive, connections. */
export function casesOf(spec: ResolvedSpec): Case[] {
  return spec.services.flatMap((service) =>
    spec.endpoints.flatMap((endpoint) =>
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
  const routes = spec.endpoints.reduce((sum, endpoint) => sum + routesOf(spec, endpoint).length, 0);
  return spec.services.length * routes * perRoute;
}

function routesOf({ gateway }: ResolvedSpec, { name }: Endpoint): Route[] {
  const { endpoints = ['*'] } = gateway ?? { endpoints: [] };
  return endpoints.some((glob) => matchesGlob(glob, name)) ? ['direct', 'gateway'] : ['direct'];
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
