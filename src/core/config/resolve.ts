import type * as z from 'zod';
import { metrics } from '../metrics/registry.ts';
import type { plainValue } from '../values/scalars.ts';
import {
  bytesOf,
  microsecondsOf,
  millisecondsOf,
  PERCENTAGE,
  perSecondOf,
  ratioOf,
  secondsOf,
} from '../values/units.ts';
import { DEFAULTS } from './defaults.ts';
import type { GateRulesInput, MetricLimitsInput } from './gate-schema.ts';
import { isAsked } from './glob.ts';
import { loadOf } from './resolve-load.ts';
import type {
  CapacitySearch,
  Database,
  Endpoint,
  Expectation,
  GateRules,
  Gateway,
  ImageSource,
  Limit,
  MetricLimit,
  PlacementChoice,
  Price,
  ResolvedSpec,
  Service,
} from './resolved.ts';
import type { DatabaseInput, EndpointInput, ExpectationInput, GatewayInput, SpecInput } from './schema.ts';
import type { SearchInput } from './search-schema.ts';
import { SEARCHERS } from './search-schema.ts';
import type { ServiceInput } from './service-schema.ts';

type PlainValue = z.infer<typeof plainValue>;

/** The spec with every default filled in and every unit made explicit. What is written must make sense already. */
export function resolve(input: SpecInput): ResolvedSpec {
  const endpoints = Object.entries(input.endpoints).map(([name, endpoint]) =>
    endpointOf(name, typeof endpoint === 'string' ? { path: endpoint } : endpoint),
  );
  return {
    name: input.name,
    services: Object.entries(input.services).map(([name, service]) => serviceOf(name, service, endpoints)),
    database: input.database === undefined ? null : databaseOf(input.database),
    gateway: input.gateway === undefined ? null : gatewayOf(input.gateway),
    endpoints,
    load: loadOf(input.load ?? {}),
    ...(input.search === undefined ? {} : { search: searchOf(input.search) }),
    placement: placementOf(input.placement ?? DEFAULTS.placement),
    ...(input.price === undefined ? {} : { price: priceOf(input.price) }),
    gate: gateOf((input.gate ?? {}) as GateRulesInput),
  };
}

function serviceOf(name: string, input: ServiceInput, endpoints: Endpoint[]): Service {
  const ready = readyOf(input.ready);
  const basePath = (input['base-path'] ?? DEFAULTS.service['base-path']).replace(/\/+$/, '');
  // Asked by GET: an endpoint that takes another method may have no answer to that.
  const own = input.endpoints === undefined ? undefined : [input.endpoints].flat();
  const first = endpoints.find((each) => each.method === 'GET' && isAsked(own, each));
  return {
    name,
    image: imageOf(input),
    command: input.command?.map(String) ?? null,
    workingDirectory: input['working-directory'] ?? DEFAULTS.service['working-directory'],
    port: input.port,
    env: texts(input.env),
    ready: {
      path: ready.port === true ? null : (ready.path ?? `${basePath}${first?.path ?? '/'}`),
      timeoutSeconds: secondsOf(ready.timeout ?? DEFAULTS.service.ready.timeout),
    },
    memoryBytes: input.memory === undefined ? null : bytesOf(input.memory),
    openFiles: input['open-files'] ?? DEFAULTS.service['open-files'],
    basePath,
    network: input.network ?? DEFAULTS.service.network,
    protocol: input.protocol ?? DEFAULTS.service.protocol,
    role: input.role ?? DEFAULTS.service.role,
    ...aboutOf(input),
    ...(own === undefined ? {} : { endpoints: own }),
    ...(input.cpus === undefined ? {} : { cpus: input.cpus }),
    ...(input.duration === undefined ? {} : { durationSeconds: secondsOf(input.duration) }),
    ...(input['keep-alive'] === 'closes' ? { keepAlive: 'closes' } : {}),
    ...(input.errors === undefined ? {} : { errors: { max: ratioOf(input.errors.max) } }),
    ...(input.optional === true ? { optional: true } : {}),
  };
}

function aboutOf({ title, language, framework, version, url }: ServiceInput): Pick<Service, 'about'> {
  const said = Object.entries({ title, language, framework, version, url }).filter(([, text]) => text !== undefined);
  return said.length === 0 ? {} : { about: Object.fromEntries(said) };
}

interface Ready {
  path?: string | undefined;
  port?: true | undefined;
  timeout?: string | undefined;
}

function readyOf(input: ServiceInput['ready']): Ready {
  if (input === 'port') return { port: true };
  return typeof input === 'string' ? { path: input } : ((input as Ready | undefined) ?? {});
}

function imageOf({ image, build }: ServiceInput): ImageSource | null {
  if (image !== undefined) return { kind: 'image', reference: image };
  if (build === undefined) return null;
  const { context, dockerfile, target, args } = typeof build === 'string' ? { context: build } : build;
  return {
    kind: 'build',
    context: context ?? DEFAULTS.build.context,
    dockerfile: dockerfile ?? DEFAULTS.build.dockerfile,
    target: target ?? null,
    args: texts(args),
  };
}

function databaseOf(database: string | DatabaseInput): Database {
  const input = typeof database === 'string' ? { image: database } : database;
  const pooler = input.pooler === 'pgbouncer' ? { kind: 'pgbouncer' as const } : input.pooler;
  return {
    image: input.image ?? DEFAULTS.database.image,
    settings: texts(input.settings),
    init: typeof input.init === 'string' ? [input.init] : (input.init ?? []),
    name: input.name ?? DEFAULTS.database.name,
    user: input.user ?? DEFAULTS.database.user,
    ...(input.password === undefined ? {} : { password: input.password }),
    pooler:
      pooler === undefined
        ? null
        : {
            kind: pooler.kind,
            image: pooler.image ?? DEFAULTS.pooler.image,
            mode: pooler.mode ?? DEFAULTS.pooler.mode,
            defaultPoolSize: pooler['default-pool-size'] ?? DEFAULTS.pooler['default-pool-size'],
            maxClientConnections: pooler['max-client-connections'] ?? DEFAULTS.pooler['max-client-connections'],
          },
    readyTimeoutSeconds: secondsOf(input.ready?.timeout ?? DEFAULTS.database.ready.timeout),
  };
}

function gatewayOf(gateway: NonNullable<SpecInput['gateway']>): Gateway {
  const { kind, image, config, endpoints }: GatewayInput = gateway === 'nginx' ? { kind: gateway } : gateway;
  return {
    ...{ kind, image: image ?? DEFAULTS.gateway.image },
    ...(config === undefined ? {} : { config }),
    ...(endpoints === undefined ? {} : { endpoints: [endpoints].flat() }),
  };
}

function endpointOf(name: string, input: EndpointInput): Endpoint {
  return {
    name,
    method: input.method ?? DEFAULTS.endpoint.method,
    path: input.path,
    headers: texts(input.headers),
    body: input.body ?? null,
    expect: expectationOf(typeof input.expect === 'number' ? { status: input.expect } : (input.expect ?? {})),
  };
}

function expectationOf(input: ExpectationInput): Expectation {
  const { size } = input;
  const bounds = size !== null && typeof size === 'object' ? size : { min: size, max: size };
  return {
    status: input.status ?? DEFAULTS.expect.status,
    contentType: input['content-type'] ?? null,
    body: input.body ?? null,
    ...(Object.hasOwn(input, 'json') ? { json: input.json } : {}),
    sizeBytes:
      size === undefined
        ? null
        : {
            min: bytesOf(bounds.min ?? 0),
            max: bounds.max === undefined ? Number.MAX_SAFE_INTEGER : bytesOf(bounds.max),
          },
    matches: input.matches ?? null,
  };
}

function searchOf(input: SearchInput): CapacitySearch {
  const usual = DEFAULTS.search;
  const find = input.find ?? usual.find;
  const { p99, errors = usual.limits.errors } = input.limits ?? {};
  return {
    find,
    endpoint: input.endpoint ?? null,
    generator: input.generator ?? SEARCHERS[find][0],
    from: input.from,
    to: input.to,
    connections: input.connections ?? usual.connections,
    durationSeconds: secondsOf(input.duration ?? usual.duration),
    limits: { p99Ms: p99 === undefined ? null : millisecondsOf(p99), errorShare: ratioOf(errors) },
    precision: ratioOf(input.precision ?? usual.precision),
  };
}

function priceOf({ 'cpu-hour': cpuHour, 'gib-hour': gibHour, currency }: NonNullable<SpecInput['price']>): Price {
  return { cpuHour, gibHour, currency };
}

function placementOf(input: NonNullable<SpecInput['placement']>): PlacementChoice {
  if (input === 'auto') return input;
  const { service, database, generator } = input;
  return { service: String(service), database: String(database ?? service), generator: String(generator) };
}

function gateOf(input: GateRulesInput): GateRules {
  const { baseline, anchor, pairing, budget, builds, cases, ...limits } = input;
  return {
    baseline: baseline ?? DEFAULTS.gate.baseline,
    ...(anchor === undefined ? {} : { anchor }),
    ...(pairing === undefined || pairing === 'auto' ? {} : { pairing }),
    metrics: { ...DEFAULT_LIMITS, ...limitsOf(limits as MetricLimitsInput) },
    cases: Object.fromEntries(Object.entries(cases ?? {}).map(([glob, inner]) => [glob, limitsOf(inner)])),
    budgetSeconds: budget === undefined || budget === 'auto' ? null : secondsOf(budget),
    ...(builds === undefined || builds === DEFAULTS.gate.builds ? {} : { builds }),
  };
}

/** Of metrics that a spec's gate does not name. */
export const DEFAULT_LIMITS: Readonly<Record<string, MetricLimit>> = limitsOf(
  Object.fromEntries(metrics.flatMap(({ name, usualLimit }) => (usualLimit === null ? [] : [[name, usualLimit]]))),
);

function limitsOf(input: MetricLimitsInput): Record<string, MetricLimit> {
  const result: Record<string, MetricLimit> = {};
  for (const [name, limits] of Object.entries(input)) {
    if (limits === undefined) continue;
    const unit = metrics.find((metric) => metric.name === name)!.unit;
    const limit: MetricLimit = {};
    result[name] = limit;
    if (limits === 'off') continue;
    if (limits['max-increase'] !== undefined) limit.maxIncrease = changeOf(limits['max-increase'], unit);
    if (limits['max-decrease'] !== undefined) limit.maxDecrease = changeOf(limits['max-decrease'], unit);
    if (limits.max !== undefined) limit.max = quantityOf(limits.max, unit);
    if (limits.min !== undefined) limit.min = quantityOf(limits.min, unit);
  }
  return result;
}

function changeOf(input: string | number, unit: string): Limit {
  if (typeof input === 'string' && PERCENTAGE.test(input)) return { kind: 'ratio', value: ratioOf(input) };
  return { kind: 'absolute', value: quantityOf(input, unit) };
}

/** A quantity in the metric's own unit. */
function quantityOf(input: string | number, unit: string): number {
  if (typeof input === 'number') return input;
  if (unit === 'ms') return millisecondsOf(input);
  if (unit === 'us') return microsecondsOf(input);
  if (unit === 'bytes') return bytesOf(input);
  return unit === 'req/s' ? perSecondOf(input) : ratioOf(input);
}

function texts(values: Record<string, PlainValue> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, String(value)]));
}
