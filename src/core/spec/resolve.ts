import type { z } from 'zod';
import { metrics } from '../metrics/registry.ts';
import { DEFAULTS } from './defaults.ts';
import { loadOf } from './resolve-load.ts';
import type {
  Database,
  Endpoint,
  Expectation,
  GateRules,
  Gateway,
  ImageSource,
  Limit,
  MetricLimit,
  PlacementChoice,
  ResolvedSpec,
  Service,
} from './resolved.ts';
import type { plainValue } from './scalars.ts';
import { bytesOf, microsecondsOf, millisecondsOf, PERCENTAGE, perSecondOf, ratioOf, secondsOf } from './units.ts';
import type { Written, WrittenDatabase, WrittenEndpoint, WrittenExpectation, WrittenService } from './written.ts';
import type { WrittenGateRules, WrittenMetricLimits } from './written-gate.ts';

type PlainValue = z.infer<typeof plainValue>;

/** The spec with every default filled in and every unit made explicit. What is written must make sense already. */
export function resolve(written: Written): ResolvedSpec {
  const endpoints = Object.entries(written.endpoints).map(([name, endpoint]) =>
    endpointOf(name, typeof endpoint === 'string' ? { path: endpoint } : endpoint),
  );
  return {
    name: written.name,
    services: Object.entries(written.services).map(([name, service]) => serviceOf(name, service, endpoints)),
    database: written.database === undefined ? null : databaseOf(written.database),
    gateway: written.gateway === undefined ? null : gatewayOf(written.gateway),
    endpoints,
    load: loadOf(written.load ?? {}),
    placement: placementOf(written.placement ?? DEFAULTS.placement),
    gate: gateOf((written.gate ?? {}) as WrittenGateRules),
  };
}

function serviceOf(name: string, written: WrittenService, endpoints: Endpoint[]): Service {
  const ready: { path?: string | undefined; timeout?: string | undefined } =
    typeof written.ready === 'string' ? { path: written.ready } : (written.ready ?? {});
  const basePath = (written['base-path'] ?? DEFAULTS.service['base-path']).replace(/\/+$/, '');
  // Asked by GET: an endpoint that takes another method may have no answer to that.
  const first = endpoints.find(({ method }) => method === 'GET');
  return {
    name,
    image: imageOf(written),
    command: written.command?.map(String) ?? null,
    workingDirectory: written['working-directory'] ?? DEFAULTS.service['working-directory'],
    port: written.port,
    env: texts(written.env),
    ready: {
      path: ready.path ?? `${basePath}${first?.path ?? '/'}`,
      timeoutSeconds: secondsOf(ready.timeout ?? DEFAULTS.service.ready.timeout),
    },
    memoryBytes: written.memory === undefined ? null : bytesOf(written.memory),
    openFiles: written['open-files'] ?? DEFAULTS.service['open-files'],
    basePath,
    role: written.role ?? DEFAULTS.service.role,
  };
}

function imageOf({ image, build }: WrittenService): ImageSource | null {
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

function databaseOf(database: string | WrittenDatabase): Database {
  const written = typeof database === 'string' ? { image: database } : database;
  const pooler = written.pooler === 'pgbouncer' ? { kind: 'pgbouncer' as const } : written.pooler;
  return {
    image: written.image ?? DEFAULTS.database.image,
    settings: texts(written.settings),
    init: typeof written.init === 'string' ? [written.init] : (written.init ?? []),
    name: written.name ?? DEFAULTS.database.name,
    user: written.user ?? DEFAULTS.database.user,
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
    readyTimeoutSeconds: secondsOf(written.ready?.timeout ?? DEFAULTS.database.ready.timeout),
  };
}

function gatewayOf(gateway: NonNullable<Written['gateway']>): Gateway {
  const written = gateway === 'nginx' ? { kind: gateway } : gateway;
  return { kind: written.kind, image: written.image ?? DEFAULTS.gateway.image };
}

function endpointOf(name: string, written: WrittenEndpoint): Endpoint {
  return {
    name,
    method: written.method ?? DEFAULTS.endpoint.method,
    path: written.path,
    headers: texts(written.headers),
    body: written.body ?? null,
    expect: expectationOf(typeof written.expect === 'number' ? { status: written.expect } : (written.expect ?? {})),
  };
}

function expectationOf(written: WrittenExpectation): Expectation {
  const { size } = written;
  const bounds = size !== null && typeof size === 'object' ? size : { min: size, max: size };
  return {
    status: written.status ?? DEFAULTS.expect.status,
    contentType: written['content-type'] ?? null,
    body: written.body ?? null,
    ...(Object.hasOwn(written, 'json') ? { json: written.json } : {}),
    sizeBytes:
      size === undefined
        ? null
        : {
            min: bytesOf(bounds.min ?? 0),
            max: bounds.max === undefined ? Number.MAX_SAFE_INTEGER : bytesOf(bounds.max),
          },
    matches: written.matches ?? null,
  };
}

function placementOf(written: NonNullable<Written['placement']>): PlacementChoice {
  if (written === 'auto') return written;
  const { service, database, generator } = written;
  return { service: String(service), database: String(database ?? service), generator: String(generator) };
}

function gateOf(written: WrittenGateRules): GateRules {
  const { baseline, anchor, pairing, budget, builds, cases, ...limits } = written;
  return {
    baseline: baseline ?? DEFAULTS.gate.baseline,
    ...(anchor === undefined ? {} : { anchor }),
    ...(pairing === undefined || pairing === 'auto' ? {} : { pairing }),
    metrics: { ...DEFAULT_LIMITS, ...limitsOf(limits as WrittenMetricLimits) },
    cases: Object.fromEntries(Object.entries(cases ?? {}).map(([glob, inner]) => [glob, limitsOf(inner)])),
    budgetSeconds: budget === undefined || budget === 'auto' ? null : secondsOf(budget),
    ...(builds === undefined || builds === DEFAULTS.gate.builds ? {} : { builds }),
  };
}

/** Of metrics that a spec's gate does not name. */
export const DEFAULT_LIMITS: Readonly<Record<string, MetricLimit>> = limitsOf(DEFAULTS.limits);

function limitsOf(written: WrittenMetricLimits): Record<string, MetricLimit> {
  const result: Record<string, MetricLimit> = {};
  for (const [name, limits] of Object.entries(written)) {
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

function changeOf(written: string | number, unit: string): Limit {
  if (typeof written === 'string' && PERCENTAGE.test(written)) return { kind: 'ratio', value: ratioOf(written) };
  return { kind: 'absolute', value: quantityOf(written, unit) };
}

/** A quantity in the metric's own unit. */
function quantityOf(written: string | number, unit: string): number {
  if (typeof written === 'number') return written;
  if (unit === 'ms') return millisecondsOf(written);
  if (unit === 'us') return microsecondsOf(written);
  if (unit === 'bytes') return bytesOf(written);
  return unit === 'req/s' ? perSecondOf(written) : ratioOf(written);
}

function texts(values: Record<string, PlainValue> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, String(value)]));
}
