import {
  type PreparedService,
  type PrepareRequest,
  type Testbed,
  TestbedError,
  type TestbedRuntime,
} from '../../app/ports/testbed.ts';
import { oneBuildSentence } from '../../core/config/builds.ts';
import type { ResolvedSpec, Service } from '../../core/config/resolved.ts';
import { findPostgres } from '../postgres/binaries.ts';
import { canLimitMemory } from '../process/memory-limit.ts';
import { groupId, ownIdentity } from '../process/owner.ts';
import { requireTool } from '../process/programs.ts';
import { unprivilegedUser } from '../process/system-user.ts';
import { sweepTemporaryFolders } from '../process/temporary-folder.ts';
import { runSecrets } from '../tls/run-certificate.ts';
import { bringUp, dismantle, noParts, type ProcessTestbedPlan } from './bring-up.ts';
import { sweepLeftovers } from './leftovers.ts';
import { dependencyObstacle, serviceObstacle } from './obstacles.ts';
import { preparedDatas } from './prepared-data.ts';
import { processTestbed } from './testbed.ts';

/** Testbeds of processes of this machine, beside a Postgres of its own. Linux; meant for macOS as well, with coarser meters. */
export function processRuntime(): TestbedRuntime {
  let groups = 0;
  const owner = ownIdentity();
  const prepared = preparedDatas();
  const newId = () => {
    groups += 1;
    return groupId(owner, groups);
  };
  return {
    kind: 'process',
    async version() {
      return null;
    },
    async prepare(request, signal) {
      const missing = (await missingTool(request.spec)) ?? dependencyObstacle(request.spec.dependencies ?? [], request);
      signal.throwIfAborted();
      warn(request);
      return request.services.map((service): PreparedService => {
        const failure = platformObstacle() ?? missing ?? serviceObstacle(service, request);
        const { builds = 1 } = request;
        const oneBuild =
          builds > 1 && service.role === 'subject' ? oneBuildSentence(service.name, builds, { why: 'process' }) : null;
        return {
          service: service.name,
          artifact: [...(service.entrypoint ?? []), ...(service.command ?? [])].map(quote).join(' '),
          ...(oneBuild === null ? {} : { oneBuild }),
          failure,
        };
      });
    },
    async start(request, signal) {
      signal.throwIfAborted();
      const obstacle = platformObstacle();
      if (obstacle !== null) throw obstacle;
      return await startTestbed({ request, newId, prepared }, signal);
    },
    async discard() {},
    release: (runId) => prepared.release(runId),
    secrets: runSecrets,
    async sweep() {
      return [...(await sweepLeftovers()), ...(await sweepTemporaryFolders())];
    },
  };
}

async function startTestbed(plan: ProcessTestbedPlan, signal: AbortSignal): Promise<Testbed> {
  const parts = noParts();
  try {
    await bringUp(parts, plan, signal);
    signal.throwIfAborted();
    return processTestbed(plan.request, parts);
  } catch (error) {
    await dismantle(parts);
    signal.throwIfAborted();
    throw error;
  }
}

/** What a program of the machine lacks for this spec; null where nothing. */
async function missingTool({ database, gateway }: ResolvedSpec): Promise<TestbedError | null> {
  try {
    if (process.platform === 'linux') for (const tool of ['taskset', 'prlimit', 'setpriv']) requireTool(tool);
    if (database !== null) await findPostgres(unprivilegedUser());
    if (database?.pooler) requireTool('pgbouncer');
    if (gateway !== null) requireTool('nginx');
    return null;
  } catch (error) {
    if (error instanceof TestbedError) return error;
    throw error;
  }
}

function warn({ services, spec, onLine }: PrepareRequest): void {
  const limited = services.filter(({ memoryBytes }) => memoryBytes !== null).map(({ name }) => name);
  if (limited.length > 0 && !canLimitMemory()) {
    onLine(`The memory limit of ${limited.join(', ')} is not kept: as a process, only root can set one here.`);
  }
  if (process.platform !== 'linux') {
    onLine('On macOS parts are not held to CPUs, and CPU time and memory are as coarse as `ps` shows them.');
  }
  if (spec.database !== null) {
    onLine(`Postgres runs as a process of this machine; the image ${spec.database.image} is not used.`);
  }
  for (const sentence of ofContainersAlone(spec, services)) onLine(sentence);
}

/** What the spec says of containers and a process goes without. */
function ofContainersAlone({ dependencies = [], database }: ResolvedSpec, services: readonly Service[]): string[] {
  const programs = [
    ...services.map((service) => ({ title: `service ${service.name}`, ...service })),
    // What is in its `volumes` a process keeps in its own folder.
    ...dependencies.map((each) => ({ title: `dependency ${each.name}`, ...each, volumes: [] })),
  ];
  const sentences = programs.flatMap(({ title, files = {}, volumes = [], user }) => {
    const keys = [
      ...(Object.keys(files).length > 0 ? ['files'] : []),
      ...(volumes.length > 0 ? ['volumes'] : []),
      ...(user === undefined ? [] : ['user']),
    ].map((key) => `\`${key}\``);
    return keys.length === 0
      ? []
      : [
          `${keys.join(', ')} of ${title} is for a container: as a process it sees the checkout, and runs as this user.`,
        ];
  });
  const aliases = [...(database?.alias ?? []), ...dependencies.flatMap(({ alias = [] }) => alias)];
  if (aliases.length === 0) return sentences;
  const names = aliases.join(', ');
  return [
    ...sentences,
    `The host name ${names} is known in containers alone: a process is told where to connect by \${NAME.host} and \${NAME.port}.`,
  ];
}

function platformObstacle(): TestbedError | null {
  if (process.platform === 'linux' || process.platform === 'darwin') return null;
  const here = `it does not run on ${process.platform}`;
  return new TestbedError(
    'start-failed',
    `The process runtime needs Linux or macOS; ${here}. Use Docker on a Linux machine.`,
  );
}

function quote(word: string): string {
  return /^[\w@%+=:,./${}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
