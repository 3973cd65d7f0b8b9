/**
 * What a person may write: the shape of `wrkbench.yml`, without a default filled in and without a unit read. The JSON
 * Schema for editors and the reference in `docs/spec.md` are made from this, from its descriptions and from `defaults.ts`.
 */
import * as z from 'zod';
import {
  count,
  cpuList,
  headerName,
  headerValue,
  identifier,
  imageReference,
  oneOrMore,
  password,
  plainValue,
  relativePath,
  requestPath,
  settingName,
  size,
  slug,
} from '../values/scalars.ts';
import { DEFAULTS } from './defaults.ts';
import { gateSchema } from './gate-schema.ts';
import { loadSchema } from './load-schema.ts';
import { ready } from './ready-schema.ts';
import { searchSchema } from './search-schema.ts';
import { endpointGlobs, serviceSchema } from './service-schema.ts';

const pooler = z.strictObject({
  kind: z.enum(['pgbouncer']).meta({ description: 'Which pooler.' }),
  image: imageReference.meta({ description: 'Its image.', default: DEFAULTS.pooler.image }).optional(),
  mode: z
    .enum(['session', 'transaction', 'statement'])
    .meta({ description: 'When a server connection goes back to the pool.', default: DEFAULTS.pooler.mode })
    .optional(),
  'default-pool-size': count('a number of connections, 1 to 65536', 1, 65_536)
    .meta({ description: 'Connections to Postgres.', default: DEFAULTS.pooler['default-pool-size'] })
    .optional(),
  'max-client-connections': count('a number of connections, 1 to 65536', 1, 65_536)
    .meta({ description: 'Connections from the service.', default: DEFAULTS.pooler['max-client-connections'] })
    .optional(),
});

const database = z
  .strictObject({
    image: imageReference
      .meta({
        description:
          'Image of Postgres, which alone can be the database; with the process runtime a local or embedded server is used instead.',
        default: DEFAULTS.database.image,
      })
      .optional(),
    settings: z
      .record(settingName, plainValue, 'a map of settings such as {fsync: off}')
      .meta({
        description:
          'Postgres settings, as `postgres -c name=value` takes them. Rounds of a comparison run without autovacuum, unless one of its settings is written here.',
      })
      .optional(),
    init: oneOrMore(relativePath, 'a path, or a list such as [sql/schema.sql]', 256)
      .meta({ description: "SQL files, run in this order by the database's owner before the service starts." })
      .optional(),
    name: identifier.meta({ description: 'Name of the database.', default: DEFAULTS.database.name }).optional(),
    user: identifier.meta({ description: "The service's own role.", default: DEFAULTS.database.user }).optional(),
    password: password
      .meta({
        description:
          'Password of that role, for an image that has one built in; made for each run where it is absent. It is left out of what is shown or stored.',
      })
      .optional(),
    pooler: z
      .union([z.literal('pgbouncer'), pooler], 'pgbouncer, or a map such as {kind: pgbouncer, mode: session}')
      .meta({ description: 'A pooler between service and database.' })
      .optional(),
    ready: ready(DEFAULTS.database.ready.timeout, false).meta({ description: 'When it counts as up.' }).optional(),
  })
  .meta({ id: 'database' });

const gateway = z.strictObject({
  kind: z.enum(['nginx']).meta({ description: 'Which gateway.' }),
  image: imageReference.meta({ description: 'Its image.', default: DEFAULTS.gateway.image }).optional(),
  config: relativePath
    .meta({
      description:
        "nginx's whole configuration, instead of that of wrkbench. In it `${upstream}` is the address and port of the service, `${listen}` what it has to listen on, `${workers}` the number of CPUs that it may use, and `${folder}` a folder that it may write to.",
    })
    .optional(),
  endpoints: endpointGlobs
    .meta({
      description:
        'Which endpoints are asked through it as well: names, or globs of `*` and `?`. All where it is absent.',
    })
    .optional(),
});

const STATUS_PHRASE = 'an HTTP status, 100 to 599';
const status = count(STATUS_PHRASE, 100, 599);
const expectation = z.strictObject({
  status: status
    .meta({
      description: 'The status. One from 400 on is a failed request for wrk, ab and h2load, one from 300 on for ab.',
      default: DEFAULTS.expect.status,
    })
    .optional(),
  'content-type': headerValue
    .meta({ description: 'The content type; its parameters count only where they are written here.' })
    .optional(),
  body: z.string('the exact body as text').meta({ description: 'The exact body, byte for byte.' }).optional(),
  json: z
    .unknown()
    .meta({ description: 'A part of the JSON body: every key and element named here must be there with this value.' })
    .optional(),
  size: z
    .union(
      [
        size,
        z.strictObject({
          min: size.meta({ description: 'The least bytes.', default: 0 }).optional(),
          max: size.meta({ description: 'The most bytes; no limit where it is absent.' }).optional(),
        }),
      ],
      'bytes, or a map such as {min: 1k, max: 2k}',
    )
    .meta({ description: 'Bytes of the body.' })
    .optional(),
  matches: z
    .string('a regular expression as text')
    .max(4096, 'a regular expression of at most 4096 characters')
    .meta({ description: 'An ECMAScript regular expression that must be found in the body, within a second.' })
    .optional(),
});

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const endpoint = z
  .strictObject({
    method: z
      .enum(METHODS)
      .meta({ description: 'Method of the request.', default: DEFAULTS.endpoint.method })
      .optional(),
    path: requestPath.meta({ description: 'Path and query, after the base path of the service.' }),
    headers: z
      .record(headerName, z.union([headerValue, z.number()], 'a header value of plain characters on one line'))
      .meta({ description: 'Headers of the request.' })
      .optional(),
    body: z.string('the body as text').meta({ description: 'Body of the request.' }).optional(),
    expect: z
      .union([status, expectation], 'a status such as 200, or a map such as {status: 200, json: {ok: true}}')
      .meta({ description: 'What the answer must be; a plain number is the status.' })
      .optional(),
  })
  .meta({ id: 'endpoint' });

const placement = z.strictObject({
  service: cpuList.meta({ description: 'CPUs of the service.' }),
  database: cpuList.meta({ description: "CPUs of the database; the service's where it is absent." }).optional(),
  generator: cpuList.meta({ description: 'CPUs of the generator.' }),
});

const AMOUNT_PHRASE = 'an amount such as 0.04, 0 to 1000000';
const amount = z.number(AMOUNT_PHRASE).min(0, AMOUNT_PHRASE).max(1_000_000, AMOUNT_PHRASE);

const price = z.strictObject({
  'cpu-hour': amount.meta({ description: 'Of one CPU, busy for an hour.' }),
  'gib-hour': amount.meta({ description: 'Of one GiB of memory, held for an hour.' }),
  currency: z
    .string('three capital letters such as USD')
    .regex(/^[A-Z]{3}$/, 'three capital letters such as USD')
    .meta({ description: 'What both amounts are in.' }),
});

export const specSchema = z
  .strictObject(
    {
      name: slug.meta({
        description: 'Name of the spec, its own in the repository: part of the status and of the pages.',
      }),
      services: z
        .record(slug, serviceSchema, 'a map from names to services')
        .meta({ description: 'The servers under test.' }),
      database: z
        .union([imageReference, database], 'an image such as postgres:18, or a map such as {image: postgres:18}')
        .meta({ description: 'Postgres beside each service; a plain text is the image.' })
        .optional(),
      gateway: z
        .union([z.literal('nginx'), gateway], 'nginx, or a map such as {kind: nginx}')
        .meta({ description: 'Every case once more through a gateway.' })
        .optional(),
      endpoints: z
        .record(
          slug,
          z.union([requestPath, endpoint], 'a path such as /ping, or a map such as {path: /ping}'),
          'a map from names to endpoints',
        )
        .meta({ description: 'What is asked, and what the answer must be; a plain text is the path.' }),
      load: loadSchema.meta({ description: 'Who asks, how hard and for how long.' }).optional(),
      search: searchSchema
        .meta({
          description: 'Finds the highest rate, or the most connections, that each service holds within limits.',
        })
        .optional(),
      placement: z
        .union([z.literal('auto'), placement], 'auto, or a map such as {service: 0-1, database: 0-1, generator: 2-3}')
        .meta({ description: 'Which CPUs each part runs on.', default: DEFAULTS.placement })
        .optional(),
      price: price
        .meta({ description: 'What the machine costs: reports then say what a million requests cost.' })
        .optional(),
      gate: gateSchema.meta({ description: 'When a comparison fails.' }).optional(),
    },
    'a map with name, services and endpoints',
  )
  .meta({
    title: 'wrkbench spec',
    description: 'What wrkbench measures, how, and when a comparison fails.',
  });

export type SpecInput = z.infer<typeof specSchema>;
export type GatewayInput = z.infer<typeof gateway>;
export type DatabaseInput = z.infer<typeof database>;
export type EndpointInput = z.infer<typeof endpoint>;
export type ExpectationInput = z.infer<typeof expectation>;
