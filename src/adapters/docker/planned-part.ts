import { TestbedError } from '../../app/ports/testbed.ts';
import { quotaUs } from '../../core/config/cpu-quota.ts';
import { describeIpv6Only, describeListeners, isInsideAlone } from '../../core/topology/listening.ts';
import type { PartPlan } from '../../core/topology/part-plan.ts';
import { isAlive, listenersOf } from '../network/network-state.ts';
import { programOf } from '../parts/program.ts';
import { waitUntilUp } from '../parts/readiness.ts';
import { CONFIGURATION_FOLDER, type ContainerState, createContainer, putFiles } from './containers.ts';
import { behindCopy, type FolderData, mountsOf } from './dependency-data.ts';
import type { Engine } from './engine.ts';
import { EngineFailure } from './engine-failure.ts';
import { joinNetwork } from './networks.ts';
import { NOBODY, type Part, type PartFrame, partContainer, startPart, whileItLives } from './part.ts';
import { outOfMemory } from './part-end.ts';

/** What a part's container is called, and what it reaches. */
export interface Seat {
  container: string;
  network: string;
  /** Further networks. */
  joined?: readonly string[];
  /** Name → address. */
  hosts?: Record<string, string>;
  /** How its `volumes` come by their data; absent for empty ones in memory. */
  data?: FolderData;
}

/** The container of a part with its files, on its networks, not started. Rejects with `TestbedError` 'start-failed'. */
export async function createPart(engine: Engine, plan: PartPlan, seat: Seat, frame: PartFrame): Promise<void> {
  const { container, network, joined = [], hosts = {}, data } = seat;
  const written = programOf(plan, {
    listen: null,
    configurationFolder: CONFIGURATION_FOLDER,
    writableFolder: '/tmp',
    openFiles: plan.openFiles,
  });
  const program = data === undefined ? written : await behindCopy(engine, plan.image ?? '', written, data);
  const [first, ...words] = program.entrypoint ?? [];
  await createContainer(
    engine,
    partContainer(frame, {
      name: container,
      image: plan.image ?? '',
      entrypoint: program.entrypoint === null ? null : (first ?? ''),
      command: [...words, ...program.command],
      env: program.env,
      user: plan.isTool ? NOBODY : plan.user,
      network,
      cpus: plan.cpus,
      cpuQuota: plan.cpuQuota,
      memoryBytes: plan.memoryBytes,
      openFiles: plan.openFiles,
      // Any user of an image may write there.
      ...(data === undefined ? { memoryFolders: plan.volumes.map((folder) => `${folder}:mode=1777`) } : mountsOf(data)),
      hosts,
    }),
  );
  await putFiles(engine, container, program.files);
  for (const each of joined) await joinNetwork(engine, each, container);
}

/** Starts the container that `createPart` has made. Rejects as `startPart`. */
export async function startCreated(engine: Engine, plan: PartPlan, seat: Seat, frame: PartFrame): Promise<Part> {
  const create = () => createPart(engine, plan, seat, frame);
  const part = await startPart(engine, plan.part, seat.container, frame, create);
  try {
    requireQuota(part, plan);
    return part;
  } catch (error) {
    part.meter.close();
    throw error;
  }
}

/** Both. It does not answer yet. */
export async function startPlanned(engine: Engine, plan: PartPlan, seat: Seat, frame: PartFrame): Promise<Part> {
  await createPart(engine, plan, seat, frame);
  return await startCreated(engine, plan, seat, frame);
}

/** Rejects with the `TestbedError` of its plan's readiness, 'out-of-memory', or the code of a part that has ended. */
export async function waitForPart(
  engine: Engine,
  part: Part,
  { ready, port }: Pick<PartPlan, 'ready' | 'port'>,
  network: string,
  signal: AbortSignal,
): Promise<void> {
  const { pid, name, addresses } = part.state;
  await whileItLives(part, engine, signal, async (linked) => {
    try {
      await waitUntilUp(
        ready,
        {
          host: addresses[network] ?? '',
          port,
          alive: () => isAlive(pid),
          ...(part.kind === 'service' ? { isInsideAlone: () => isInsideAlone(listenersOf(pid), port ?? 0) } : {}),
          refused(whose) {
            const listeners = listenersOf(pid);
            const known = describeIpv6Only(listeners, port ?? 0);
            return known ?? `nothing listens on port ${port}; ${describeListeners(listeners, port ?? 0, whose)}`;
          },
          run: (command, timeoutSeconds, each) => executed(engine, name, command, timeoutSeconds, each),
        },
        linked,
      );
    } catch (error) {
      linked.throwIfAborted();
      throw part.meter.oomKills() > 0 ? outOfMemory(part.state, part.kind, []) : error;
    }
  });
}

/** Null where a command in the container ends with status 0, else the line that it printed last. */
async function executed(
  engine: Engine,
  container: string,
  command: readonly string[],
  timeoutSeconds: number,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    await engine.call(['container', 'exec', container, ...command], { timeoutSeconds, signal });
    return null;
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    return error.output.trim().split('\n').at(-1) || error.message;
  }
}

/** An engine whose kernel or rights allow no limit of CPU time leaves it out, with a warning. Throws `TestbedError` 'start-failed'. */
export function requireQuota(
  { state }: { state: Pick<ContainerState, 'cpuQuotaUs'> },
  { title, cpuQuota }: Pick<PartPlan, 'title' | 'cpuQuota'>,
): void {
  if (cpuQuota === null || state.cpuQuotaUs === quotaUs(cpuQuota)) return;
  throw new TestbedError(
    'start-failed',
    `${title} is to have ${cpuQuota} CPUs (\`cpus\`), and this engine cannot limit CPU time: \`docker info\` says why. Give the service whole CPUs, or use an engine with the cgroup controller \`cpu\`.`,
  );
}
