import * as z from 'zod';
import { bytes, seconds, texts, words } from '../values/forms.ts';
import { environmentName, imageReference, requestPath } from '../values/scalars.ts';
import { combined, orAbsent, orElse, orNull, section, usual, writtenOnly } from '../values/section.ts';
import { DEFAULT_MEMORY_SHARE } from './bounds.ts';
import { containerKeys, volumesKey } from './container-keys.ts';
import { hostNames } from './host-names.ts';
import { imageOf, recordedImage, writtenBuild } from './image-source.ts';
import { port } from './service.ts';

/** When a dependency counts as up; without a word its port has to be open, where it has one. */
const readyMap = section({
  path: orAbsent(requestPath, 'Path that is asked by GET until it is answered with a status below 400.'),
  command: orAbsent(
    words('a list of words such as [rabbitmq-diagnostics, ping]', 64),
    'Command that is run in its container until it ends with status 0; with the process runtime, on the machine. Placeholders may stand in it.',
  ),
  port: orAbsent(
    z.literal(true, 'true'),
    'An open port is enough, which is the default where it has a port. Of Redis and those like it, once it has read its data.',
  ),
  timeout: usual(seconds, '30s', { as: 'timeoutSeconds', description: 'How long to wait for it.' }),
});
type ReadyInput = 'port' | string | Parameters<typeof readyMap.read>[0];

export type DependencyReady = { timeoutSeconds: number } & (
  | { kind: 'port' }
  | { kind: 'path'; path: string }
  | { kind: 'command'; command: string[] }
  /** It has no port, and is up when it runs. */
  | { kind: 'running' }
);

function readyOf(all: { ready?: ReadyInput; port?: number }): DependencyReady {
  const short = all.ready === undefined || all.ready === 'port' ? {} : { path: all.ready as string };
  const { path, command, timeoutSeconds } = readyMap.read(typeof all.ready === 'object' ? all.ready : short);
  if (path !== undefined) return { kind: 'path', path, timeoutSeconds };
  if (command !== undefined) return { kind: 'command', command, timeoutSeconds };
  return { kind: all.port === undefined ? 'running' : 'port', timeoutSeconds };
}

const recordedReady = z.looseObject({
  kind: z.enum(['port', 'path', 'command', 'running']),
  path: z.string().exactOptional(),
  command: z.array(z.string()).exactOptional(),
  timeoutSeconds: z.number(),
});

/** A server beside the service that is no Postgres: one for each side, started before it and ended with it. */
export const dependency = section(
  {
    build: writtenOnly(writtenBuild, 'Builds the image; a plain path is the context.'),
    image: combined(
      imageReference,
      'Pulls the image, or takes it from the machine.',
      imageOf,
      recordedImage.nullable(),
    ),
    command: orNull(
      words('a list of words such as [redis-server, --port, "${port}"]', 256),
      "What the process runtime starts; in a container it replaces the image's own command. Placeholders may stand in it, `${port}` and `${folder}`, which it may write to, among them.",
    ),
    ...containerKeys,
    volumes: volumesKey(
      'Folders in the container with the data that it keeps, empty at first. What `prepare` leaves in them is what every start begins with, and what is put back after a case that writes. Of a process its `${folder}` is kept instead.',
    ),
    port: orNull(
      port,
      'TCP port that it listens on. As a process it gets a free one instead where `command` or `env` name `${port}`.',
    ),
    env: orElse(
      texts(environmentName, 'a map of variables such as {RABBITMQ_DEFAULT_USER: app}'),
      {},
      'Environment variables. Placeholders may stand in the values; one that names another dependency, or the database, starts when that is up.',
    ),
    ready: combined(
      z.union(
        [z.literal('port'), requestPath, readyMap.written],
        'port, a path, or a map such as {command: [rabbitmq-diagnostics, ping], timeout: 30s}',
      ),
      'When it counts as up: its port is open, a path is answered, or a command ends well.',
      readyOf,
      recordedReady,
    ),
    memory: orNull(bytes, {
      as: 'memoryBytes',
      description: `Limit of memory; ${DEFAULT_MEMORY_SHARE * 100} % of the machine's where it is absent.`,
    }),
    alias: orAbsent(hostNames, 'Host names, besides its own, under which others in containers find it.'),
  },
  { id: 'dependency' },
);
export type Dependency = { name: string } & ReturnType<typeof dependency.read>;
