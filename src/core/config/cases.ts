import type { GeneratorName, Route } from '../measurement/names.ts';
import type { Case, CaseLoad } from './case.ts';
import type { Endpoint, K6Arrival, ResolvedSpec, Service, WrkLoad } from './resolved.ts';

/** Every case of the spec, in the order of the file: services, endpoints, routes, generators, keep-alive, connections. */
export function casesOf(spec: ResolvedSpec): Case[] {
  return spec.services.flatMap((service) =>
    spec.endpoints.flatMap((endpoint) =>
      routesOf(spec).flatMap((route) =>
        loadsOf(spec).flatMap(({ generator, keepAlive, connections, loadFor }) =>
          keepAlive.flatMap((kept) =>
            connections.map((number) => caseOf(service, endpoint, route, generator, kept, number, loadFor(number))),
          ),
        ),
      ),
    ),
  );
}

/** How many `casesOf` gives, without making them. */
export function numberOfCases(spec: ResolvedSpec): number {
  const perRoute = loadsOf(spec).reduce((sum, load) => sum + load.keepAlive.length * load.connections.length, 0);
  return spec.services.length * spec.endpoints.length * routesOf(spec).length * perRoute;
}

function routesOf(spec: ResolvedSpec): Route[] {
  return spec.gateway === null ? ['direct'] : ['direct', 'gateway'];
}

interface GeneratorLoad {
  generator: GeneratorName;
  keepAlive: boolean[];
  connections: number[];
  loadFor(connections: number): CaseLoad;
}

function loadsOf({ load: { wrk, k6, ab } }: ResolvedSpec): GeneratorLoad[] {
  const loads: GeneratorLoad[] = [];
  if (wrk !== null) {
    const { keepAlive, connections, durationSeconds, timeoutSeconds } = wrk;
    const loadFor = (number: number): CaseLoad => ({
      generator: 'wrk',
      threads: threadsFor(wrk, number),
      durationSeconds,
      timeoutSeconds,
    });
    loads.push({ generator: 'wrk', keepAlive, connections, loadFor });
  }
  if (k6 !== null) {
    const { keepAlive, connections, arrival, durationSeconds, timeoutSeconds, script } = k6;
    const load: CaseLoad = { generator: 'k6', arrival, durationSeconds, timeoutSeconds, script };
    loads.push({ generator: 'k6', keepAlive, connections, loadFor: () => load });
  }
  if (ab !== null) {
    const { keepAlive, connections, requests, timeoutSeconds } = ab;
    loads.push({
      generator: 'ab',
      keepAlive,
      connections,
      loadFor: () => ({ generator: 'ab', requests, timeoutSeconds }),
    });
  }
  return loads;
}

/**
 * Connections below the first step take the first step's threads. Never more threads than connections, which wrk
 * refuses.
 */
function threadsFor({ threads, threadSteps = [] }: WrkLoad, connections: number): number {
  const step = threadSteps.findLast(({ fromConnections }) => fromConnections <= connections) ?? threadSteps[0];
  return Math.min(step?.threads ?? threads, connections);
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
  const rate = load.generator === 'k6' ? `@${rateText(load.arrival)}` : '';
  const held = keepAlive ? 'keep-alive' : 'close';
  const key = [service.name, endpoint.name, route, generator, held, `${connections}${rate}`].join('/');
  return { key, service, endpoint, route, generator, keepAlive, connections, load };
}

/** `60%`, `2000ps`, `vus`: `/` would be taken for the border of two parts. */
function rateText(arrival: K6Arrival): string {
  if (arrival.kind === 'share') return `${Number((arrival.shareOfCapacity * 100).toPrecision(9))}%`;
  return arrival.kind === 'rate' ? `${arrival.requestsPerSecond}ps` : 'vus';
}
