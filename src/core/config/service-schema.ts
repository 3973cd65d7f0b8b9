import * as z from 'zod';
import {
  buildContext,
  count,
  environmentName,
  imageReference,
  label,
  oneOrMore,
  plainValue,
  relativePath,
  requestPath,
  share,
  size,
  slug,
  webAddress,
  wholeSeconds,
} from '../values/scalars.ts';
import { CPU_PERIOD_US, LEAST_CPUS } from './cpu-quota.ts';
import { DEFAULT_MEMORY_SHARE, DEFAULTS } from './defaults.ts';
import { ready } from './ready-schema.ts';

const port = count('a TCP port, 1 to 65535', 1, 65_535);

const build = z.strictObject({
  context: buildContext
    .meta({
      description: 'Folder that is built; or a repository at a full commit, `https://host/repo.git#COMMIT:folder`.',
      default: DEFAULTS.build.context,
    })
    .optional(),
  dockerfile: relativePath
    .meta({ description: 'Dockerfile, relative to the context.', default: DEFAULTS.build.dockerfile })
    .optional(),
  target: slug.meta({ description: 'Stage of the Dockerfile to stop at.' }).optional(),
  args: z.record(environmentName, plainValue).meta({ description: 'Build arguments.' }).optional(),
});

const GLOB_PHRASE = 'a name of an endpoint, or a glob such as db-*';
export const endpointGlobs = oneOrMore(
  z.string(GLOB_PHRASE).regex(/^[a-zA-Z0-9._*?-]{1,64}$/, GLOB_PHRASE),
  'a name, or a list such as [ping, "db-*"]',
  256,
);

const CPUS_PHRASE = `a number of CPUs, ${LEAST_CPUS} to 1024, such as 2 or 0.5`;
const COMMAND_PHRASE = 'a list of words such as [node, server.js]';
/** What a person may write of one service. */
export const serviceSchema = z
  .strictObject({
    build: z
      .union([buildContext, build], 'a folder, or a map such as {context: ., dockerfile: Dockerfile}')
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
        [z.literal('port'), requestPath, ready(DEFAULTS.service.ready.timeout, true)],
        'a path, port, or a map such as {path: /ping, timeout: 30s}',
      )
      .meta({ description: 'When it counts as up: this path is answered, or with `port` its port is open.' })
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
    endpoints: endpointGlobs
      .meta({
        description:
          'Which endpoints it has: names, or globs of `*` and `?`; it is asked no other. All where it is absent.',
      })
      .optional(),
    title: label.meta({ description: 'What it is called in reports, beside its name.' }).optional(),
    language: label.meta({ description: 'What it is written in, shown in reports.' }).optional(),
    framework: label.meta({ description: 'What it is built on, shown in reports.' }).optional(),
    version: label.meta({ description: 'Of the framework, or else of the language; shown in reports.' }).optional(),
    url: webAddress.meta({ description: 'Where a reader finds more of it; reports link to it.' }).optional(),
    cpus: z
      .number(CPUS_PHRASE)
      .min(LEAST_CPUS, CPUS_PHRASE)
      .max(1024, CPUS_PHRASE)
      .meta({
        description: `How many of the CPUs in \`placement.service\` it runs on, the first ones, with its gateway, and its database where that shares them; all where it is absent. With a part of a CPU (\`0.5\`, \`1.5\`) it runs on the whole of it, and the kernel limits the CPU time of the service itself: one that has used its part waits for the next period of ${CPU_PERIOD_US / 1000} ms, so that latencies hold pauses of up to that.`,
      })
      .optional(),
    duration: wholeSeconds
      .meta({ description: "How long its trials take, instead of the generator's `duration`; ab has none." })
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
    'keep-alive': z
      .enum(['keeps', 'closes'])
      .meta({
        description:
          '`closes`: it closes each connection by design, also where it is asked to keep it. Such cases are measured, and marked.',
        default: DEFAULTS.service['keep-alive'],
      })
      .optional(),
    errors: z
      .strictObject({
        max: share.meta({ description: 'The most of its requests that may fail: a case with more is invalid.' }),
      })
      .meta({
        description:
          'Errors that its cases may have: they are then measured with them, marked and not ranked. Without it more than 0.1% are invalid.',
      })
      .optional(),
    role: z
      .enum(['subject', 'reference'])
      .meta({
        description: 'A `reference` only calibrates: it is measured and shown, never ranked or gated.',
        default: DEFAULTS.service.role,
      })
      .optional(),
    optional: z
      .boolean('true or false')
      .meta({
        description:
          'Where it cannot be built, fetched or started, it is listed as absent with the reason, and neither the run nor the gate fails for it.',
        default: DEFAULTS.service.optional,
      })
      .optional(),
  })
  .meta({ id: 'service' });

export type ServiceInput = z.infer<typeof serviceSchema>;
