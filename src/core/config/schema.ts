/**
 * What a person may write: the shape of `wrkbench.yml`, without a default filled in and without a unit read. The JSON
 * Schema for editors and the reference in `docs/spec.md` are made from this, from its descriptions and from `defaults.ts`.
 */
import * as z from 'zod';
import {
  count,
  cpuList,
  duration,
  environmentName,
  headerName,
  headerValue,
  identifier,
  imageReference,
  oneOrMore,
  plainValue,
  relativePath,
  requestPath,
  settingName,
  size,
  slug,
} from '../values/scalars.ts';
import { DEFAULT_MEMORY_SHARE, DEFAULTS } from './defaults.ts';
import { gateSchema } from './gate-schema.ts';
import { loadSchema } from './load-schema.ts';

const port = count('a TCP port, 1 to 65535', 1, 65_535);

function ready(timeout: string, path: boolean) {
  const shape = {
    timeout: duration.meta({ description: 'How long to wait for it.', default: timeout }).optional(),
  };
  return path
    ? z.strictObject({
        path: requestPath
          .meta({
            description: "Path that is asked until it is answered, base path included; else the first endpoint's.",
          })
          .optional(),
        ...shape,
      })
    : z.strictObject(shape);
}

const build = z.strictObject({
  context: relativePath.meta({ description: 'Folder that is built.', default: DEFAULTS.build.context }).optional(),
  dockerfile: relativePath
    .meta({ description: 'Dockerfile, relative to the context.', default: DEFAULTS.build.dockerfile })
    .optional(),
  target: slug.meta({ description: 'Stage of the Dockerfile to stop at.' }).optional(),
  args: z.record(environmentName, plainValue).meta({ description: 'Build arguments.' }).optional(),
});

const COMMAND_PHRASE = 'a list of words such as [node, server.js]';
const service = z
  .strictObject({
    build: z
      .union([relativePath, build], 'a folder, or a map such as {context: ., dockerfile: Dockerfile}')
      .meta({ description: 'Builds the image; a plain path is the context.' })
      .optional(),
    image: imageReference.meta({ description: 'Pulls the image, or takes it from the machine.' }).optional(),
    command: z
      .array(plainValue, COMMAND_PHRASE)
      .min(1, COMMAND_PHRASE)
      .max(256, COMMAND_PHRASE)
      .meta({
        description:
          "What the process runtime starts; in a container it replaces the image's own command. Placeholders may stand in it.",
      })
      .optional(),
    'working-directory': relativePath
      .meta({
        description: 'Folder that `command` starts in; process runtime only.',
        default: DEFAULTS.service['working-directory'],
      })
      .optional(),
    port: port.meta({ description: 'TCP port that it listens on.' }),
    env: z
      .record(environmentName, plainValue, 'a map of variables such as {WORKERS: 4}')
      .meta({ description: 'Environment variables. Placeholders may stand in the values.' })
      .optional(),
    ready: z
      .union(
        [requestPath, ready(DEFAULTS.service.ready.timeout, true)],
        'a path, or a map such as {path: /ping, timeout: 30s}',
      )
      .meta({ description: 'When it counts as up: this path is answered.' })
      .optional(),
    memory: size
      .meta({ description: `Limit of memory; ${DEFAULT_MEMORY_SHARE * 100} % of the machine's where it is absent.` })
      .optional(),
    'open-files': count('a number of files, 64 to 1073741816', 64, 1_073_741_816)
      .meta({ description: 'Limit of open files, soft and hard.', default: DEFAULTS.service['open-files'] })
      .optional(),
    'base-path': z
      .union([requestPath, z.literal('')], 'a path such as /api/v4')
      .meta({ description: "Put before every endpoint's path.", default: DEFAULTS.service['base-path'] })
      .optional(),
    network: z
      .enum(['open', 'internal'])
      .meta({
        description:
          '`internal`: its network has no way out, and the generator reaches it all the same. Docker runtime only.',
        default: DEFAULTS.service.network,
      })
      .optional(),
    protocol: z
      .enum(['h1', 'h2'])
      .meta({
        description: '`h1` is HTTP/1.1; `h2` is HTTP/2 without TLS (prior knowledge). Not every generator speaks it.',
        default: DEFAULTS.service.protocol,
      })
      .optional(),
    role: z
      .enum(['subject', 'reference'])
      .meta({
        description: 'A `reference` only calibrates: it is measured and shown, never ranked or gated.',
        default: DEFAULTS.service.role,
      })
      .optional(),
  })
  .meta({ id: 'service' });

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
      .meta({ description: 'Postgres settings, as `postgres -c name=value` takes them.' })
      .optional(),
    init: oneOrMore(relativePath, 'a path, or a list such as [sql/schema.sql]', 256)
      .meta({ description: "SQL files, run in this order by the database's owner before the service starts." })
      .optional(),
    name: identifier.meta({ description: 'Name of the database.', default: DEFAULTS.database.name }).optional(),
    user: identifier.meta({ description: "The service's own role.", default: DEFAULTS.database.user }).optional(),
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
});

const STATUS_PHRASE = 'an HTTP status, 100 to 599';
const status = count(STATUS_PHRASE, 100, 599);
const expectation = z.strictObject({
  status: status.meta({ description: 'The status.', default: DEFAULTS.expect.status }).optional(),
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

export const specSchema = z
  .strictObject(
    {
      name: slug.meta({
        description: 'Name of the spec, its own in the repository: part of the status and of the pages.',
      }),
      services: z
        .record(slug, service, 'a map from names to services')
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
      placement: z
        .union([z.literal('auto'), placement], 'auto, or a map such as {service: 0-1, database: 0-1, generator: 2-3}')
        .meta({ description: 'Which CPUs each part runs on.', default: DEFAULTS.placement })
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
export type ServiceInput = z.infer<typeof service>;
export type DatabaseInput = z.infer<typeof database>;
export type EndpointInput = z.infer<typeof endpoint>;
export type ExpectationInput = z.infer<typeof expectation>;
