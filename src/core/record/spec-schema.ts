/** The spec as `run.json` holds it: resolved, with every default filled in. */

import * as z from 'zod';
import { GENERATOR_NAMES, type GeneratorName, generators, type LoadOfEach } from '../generators/registry.ts';
import { count, figure, text, texts } from './schema-parts.ts';

const imageSource = z.union([
  z.looseObject({ kind: z.literal('image'), reference: text }),
  z.looseObject({ kind: z.literal('build'), context: text, dockerfile: text, target: text.nullable(), args: texts }),
]);

const service = z.looseObject({
  name: text,
  image: imageSource.nullable(),
  command: z.array(text).nullable(),
  workingDirectory: text,
  port: count,
  env: texts,
  ready: z.looseObject({ path: text.nullable(), timeoutSeconds: figure }),
  memoryBytes: figure.nullable(),
  openFiles: count,
  basePath: text,
  /** Before there was the key, every service's network was open. */
  network: z.enum(['open', 'internal']).default('open'),
  protocol: z.enum(['h1', 'h2']).default('h1'),
  role: z.enum(['subject', 'reference']),
  about: z
    .looseObject({
      title: text.exactOptional(),
      language: text.exactOptional(),
      framework: text.exactOptional(),
      version: text.exactOptional(),
      url: text.exactOptional(),
    })
    .exactOptional(),
  cpus: figure.exactOptional(),
  endpoints: z.array(text).exactOptional(),
  durationSeconds: figure.exactOptional(),
  keepAlive: z.literal('closes').exactOptional(),
  errors: z.looseObject({ max: figure }).exactOptional(),
  optional: z.literal(true).exactOptional(),
});

const database = z.looseObject({
  image: text,
  settings: texts,
  init: z.array(text),
  name: text,
  user: text,
  password: text.exactOptional(),
  pooler: z
    .looseObject({
      kind: z.literal('pgbouncer'),
      image: text,
      mode: z.enum(['session', 'transaction', 'statement']),
      defaultPoolSize: count,
      maxClientConnections: count,
    })
    .nullable(),
  readyTimeoutSeconds: figure,
});

const endpoint = z.looseObject({
  name: text,
  method: text,
  path: text,
  headers: texts,
  body: text.nullable(),
  expect: z.looseObject({
    status: count,
    contentType: text.nullable(),
    body: text.nullable(),
    json: z.unknown().optional(),
    sizeBytes: z.looseObject({ min: figure, max: figure }).nullable(),
    matches: text.nullable(),
  }),
});

/** Null where the record was made by a wrkbench that did not have the generator yet. */
type RecordedLoads = { [Name in GeneratorName]: z.ZodDefault<z.ZodNullable<z.ZodType<LoadOfEach<'ofSpec'>[Name]>>> };
const load = z.looseObject({
  ...(Object.fromEntries(
    GENERATOR_NAMES.map((name) => [name, generators[name].load.recorded.nullable().default(null)]),
  ) as unknown as RecordedLoads),
  warmUp: z.union([
    z.looseObject({ kind: z.literal('auto'), windowSeconds: figure, tolerance: figure, maxSeconds: figure }),
    z.looseObject({ kind: z.literal('fixed'), seconds: figure }),
  ]),
  coolDownSeconds: figure,
});

export const placement = z.looseObject({ service: text, database: text, generator: text });
const limit = z.looseObject({ kind: z.enum(['ratio', 'absolute']), value: figure });
const metricLimit = z.looseObject({
  maxIncrease: limit.exactOptional(),
  maxDecrease: limit.exactOptional(),
  max: figure.exactOptional(),
  min: figure.exactOptional(),
});

export const gate = z.looseObject({
  baseline: text,
  anchor: text.exactOptional(),
  pairing: z.enum(['duet', 'interleaved']).exactOptional(),
  metrics: z.record(text, metricLimit),
  cases: z.record(text, z.record(text, metricLimit)),
  budgetSeconds: figure.nullable(),
  builds: count.exactOptional(),
});

const search = z.looseObject({
  find: z.enum(['rate', 'connections']),
  endpoint: text.nullable(),
  generator: z.enum(['k6', 'h2load', 'wrk']),
  from: count,
  to: count,
  connections: count,
  durationSeconds: figure,
  limits: z.looseObject({ p99Ms: figure.nullable(), errorShare: figure }),
  precision: figure,
});

export const spec = z.looseObject({
  name: text,
  services: z.array(service),
  database: database.nullable(),
  gateway: z
    .looseObject({
      kind: z.literal('nginx'),
      image: text,
      config: text.exactOptional(),
      endpoints: z.array(text).exactOptional(),
    })
    .nullable(),
  endpoints: z.array(endpoint),
  load,
  search: search.exactOptional(),
  price: z.looseObject({ cpuHour: figure, gibHour: figure, currency: text }).exactOptional(),
  placement: z.union([z.literal('auto'), placement]),
  gate,
});
