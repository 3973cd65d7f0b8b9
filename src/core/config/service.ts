import * as z from 'zod';
import { bytes, partOfAll, seconds, secondsWithoutPart, textOrTexts, texts, words } from '../values/forms.ts';
import { PROTOCOLS } from '../values/protocol.ts';
import {
  count,
  environmentName,
  imageReference,
  label,
  relativePath,
  requestPath,
  webAddress,
} from '../values/scalars.ts';
import { combined, form, orAbsent, orElse, orNull, required, section, usual, writtenOnly } from '../values/section.ts';
import { DEFAULT_MEMORY_SHARE } from './bounds.ts';
import { containerKeys } from './container-keys.ts';
import { CPU_PERIOD_US, LEAST_CPUS } from './cpu-quota.ts';
import { imageOf, recordedImage, writtenBuild } from './image-source.ts';

export const port = count('a TCP port, 1 to 65535', 1, 65_535);

const GLOB_PHRASE = 'a name of an endpoint, or a glob such as db-*';
export const endpointGlobs = textOrTexts(
  z.string(GLOB_PHRASE).regex(/^[a-zA-Z0-9._*?{},-]{1,64}$/, GLOB_PHRASE),
  'a name, or a list such as [ping, "db-*"]',
  256,
);

/** When it counts as up. The path stays undefined where nothing is written: `resolve` knows the endpoints. */
const readyMap = section({
  path: orAbsent(
    requestPath,
    "Path that is asked by GET until it is answered, base path included; that of an endpoint with the endpoint's own request. Without it, the path of the first GET endpoint, else `/`.",
  ),
  port: orAbsent(
    z.literal(true, 'true'),
    'An open port is enough, and no path is asked: for a server that answers no GET.',
  ),
  timeout: usual(seconds, '30s', { as: 'timeoutSeconds', description: 'How long to wait for it.' }),
});
interface Ready {
  /** Null where an open port is enough. */
  path: string | null;
  timeoutSeconds: number;
}
type ReadyInput = 'port' | string | Parameters<typeof readyMap.read>[0];

function readyOf(input: ReadyInput): Partial<Ready> & Pick<Ready, 'timeoutSeconds'> {
  const short = input === 'port' ? { port: true as const } : { path: input as string };
  const { path, port: isPort, timeoutSeconds } = readyMap.read(typeof input === 'object' ? input : short);
  if (isPort === true) return { path: null, timeoutSeconds };
  return { ...(path === undefined ? {} : { path }), timeoutSeconds };
}

const READY_PHRASE = 'a path, port, or a map such as {path: /ping, timeout: 30s}';
const ready = form(
  z.union([z.literal('port'), requestPath, readyMap.written], READY_PHRASE),
  readyOf,
  z.looseObject({ path: z.string().nullable(), timeoutSeconds: z.number() }),
);

/** An address is one of the web; the rest is text of one line. */
export interface About {
  title?: string;
  language?: string;
  framework?: string;
  version?: string;
  url?: string;
}

/** Undefined where its spec tells readers nothing of it. */
function aboutOf({ title, language, framework, version, url }: About): About | undefined {
  const said = Object.entries({ title, language, framework, version, url }).filter(([, text]) => text !== undefined);
  return said.length === 0 ? undefined : Object.fromEntries(said);
}
const said = z.string().exactOptional();
const about = z.looseObject({ title: said, language: said, framework: said, version: said, url: said }).exactOptional();

const PORT_NAME_PHRASE = 'a name of lower-case letters, digits and inner - (32 at most)';
const PORTS_PHRASE = 'a map from names to TCP ports such as {grpc: 9090, metrics: 2112}, 16 at most';
const portName = z.string(PORT_NAME_PHRASE).regex(/^[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?$/, PORT_NAME_PHRASE);
const ports = z.record(portName, port, PORTS_PHRASE).refine((map) => Object.keys(map).length <= 16, PORTS_PHRASE);

const CPUS_PHRASE = `a number of CPUs, ${LEAST_CPUS} to 1024, such as 2 or 0.5`;

export const service = section(
  {
    build: writtenOnly(writtenBuild, 'Builds the image; a plain path is the context.'),
    image: combined(
      imageReference,
      'Pulls the image, or takes it from the machine.',
      imageOf,
      recordedImage.nullable(),
    ),
    command: orNull(
      words('a list of words such as [node, server.js]', 256),
      "What the process runtime starts; in a container it replaces the image's own command. Placeholders may stand in it.",
    ),
    ...containerKeys,
    'working-directory': usual(relativePath, '.', 'Folder that `command` starts in; process runtime only.'),
    port: required(port, 'TCP port that it listens on.'),
    ports: orAbsent(
      form(ports, (map) => map, z.record(z.string(), z.number())),
      'Further TCP ports that it listens on, by name; `${ports.NAME}` in its `command` and `env` is the number. As a process it gets a free one instead where they name it.',
    ),
    env: orElse(
      texts(environmentName, 'a map of variables such as {WORKERS: 4}'),
      {},
      'Environment variables. Placeholders may stand in the values.',
    ),
    ready: orElse(ready, readyOf({}), 'When it counts as up: this path is answered, or with `port` its port is open.'),
    memory: orNull(bytes, {
      as: 'memoryBytes',
      description: `Limit of memory; ${DEFAULT_MEMORY_SHARE * 100} % of the machine's where it is absent.`,
    }),
    'open-files': usual(
      count('a number of files, 64 to 1073741816', 64, 1_073_741_816),
      1_048_576,
      'Limit of open files, soft and hard.',
    ),
    'base-path': usual(
      form(
        z.union([requestPath, z.literal('')], 'a path such as /api/v4'),
        (path) => path.replace(/\/+$/, ''),
        z.string(),
      ),
      '',
      "Put before every endpoint's path.",
    ),
    endpoints: orAbsent(
      endpointGlobs,
      'Which endpoints it has: names, or globs of `*`, `?` and `{a,b}`; it is asked no other. All where it is absent.',
    ),
    title: combined(
      label,
      { as: 'about', description: 'What it is called in reports, beside its name.' },
      aboutOf,
      about,
    ),
    language: writtenOnly(label, 'What it is written in, shown in reports.'),
    framework: writtenOnly(label, 'What it is built on, shown in reports.'),
    version: writtenOnly(label, 'Of the framework, or else of the language; shown in reports.'),
    url: writtenOnly(webAddress, 'Where a reader finds more of it; reports link to it.'),
    cpus: orAbsent(
      z.number(CPUS_PHRASE).min(LEAST_CPUS, CPUS_PHRASE).max(1024, CPUS_PHRASE),
      `How many of the CPUs in \`placement.service\` it runs on, the first ones, with its gateway, and its database where that shares them; all where it is absent. With a part of a CPU (\`0.5\`, \`1.5\`) it runs on the whole of it, and the kernel limits the CPU time of the service itself: one that has used its part waits for the next period of ${CPU_PERIOD_US / 1000} ms, so that latencies hold pauses of up to that.`,
    ),
    duration: orAbsent(secondsWithoutPart, {
      as: 'durationSeconds',
      description: "How long its trials take, instead of the generator's `duration`; ab has none.",
    }),
    network: usual(z.enum(['open', 'internal']), 'open', {
      description:
        '`internal`: its network has no way out, and the generator reaches it all the same. As a process it takes root on Linux, and the service has to listen on all addresses.',
      isNewer: true,
    }),
    protocol: usual(z.enum(PROTOCOLS), 'h1', {
      description:
        '`h1` is HTTP/1.1, `https` the same over TLS; `h2` is HTTP/2 without TLS (prior knowledge), `h2-tls` over TLS. Over TLS the service is given a certificate: `${tls.certificate}`, `${tls.key}`. Not every generator speaks each.',
      isNewer: true,
    }),
    'keep-alive': usual(
      form(z.enum(['keeps', 'closes']), (word) => (word === 'closes' ? word : undefined), z.literal('closes')),
      'keeps',
      '`closes`: it closes each connection by design, also where it is asked to keep it. Such cases are measured, and marked.',
    ),
    errors: orAbsent(
      section({
        max: required(partOfAll, 'The most of its requests that may fail: a case with more is invalid.'),
      }),
      'Errors that its cases may have: they are then measured with them, marked and not ranked. Without it more than 0.1% are invalid.',
    ),
    role: usual(
      z.enum(['subject', 'reference']),
      'subject',
      'A `reference` only calibrates: it is measured and shown, never ranked or gated.',
    ),
    optional: usual(
      form(z.boolean('true or false'), (is) => (is ? is : undefined), z.literal(true)),
      false,
      'Where it cannot be built, fetched or started, it is listed as absent with the reason, and neither the run nor the gate fails for it.',
    ),
  },
  { id: 'service' },
);
