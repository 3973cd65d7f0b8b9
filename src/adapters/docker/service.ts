import { TestbedError } from '../../app/ports/testbed.ts';
import { quotaUs } from '../../core/config/cpu-quota.ts';
import { PlaceholderError, type PlaceholderValues, substitute } from '../../core/config/placeholders.ts';
import type { Service } from '../../core/config/resolved.ts';
import { describeIpv6Only, describeListeners } from '../../core/topology/listening.ts';
import { memoryLimitOf } from '../../core/topology/memory-limit.ts';
import { type ReadyRequest, readinessWords } from '../../core/verification/ready-request.ts';
import { isAlive, listenersOf } from '../network/network-state.ts';
import { waitUntilReady } from '../network/readiness.ts';
import { machineMemoryBytes } from '../process/machine-memory.ts';
import { type ContainerState, createContainer } from './containers.ts';
import type { Engine } from './engine.ts';
import { joinNetwork } from './networks.ts';
import { outOfMemory, type Part, type PartFrame, partContainer, whileItLives } from './part.ts';

export interface ServicePlan {
  service: Service;
  container: string;
  image: string;
  cpus: string;
  /** CPUs' worth of time; null for all of `cpus`. */
  cpuQuota: number | null;
  applicationNetwork: string;
  /** Null where the spec has no database. */
  databaseNetwork: string | null;
  placeholders: PlaceholderValues;
}

/** The service's container with its environment, on its networks, not started. Rejects with `TestbedError` 'start-failed'. */
export async function createService(engine: Engine, plan: ServicePlan, frame: PartFrame): Promise<void> {
  const { service, container } = plan;
  const filled = fill(service, plan.placeholders);
  await createContainer(
    engine,
    partContainer(frame, {
      name: container,
      image: plan.image,
      command: filled.command,
      env: filled.env,
      network: plan.applicationNetwork,
      cpus: plan.cpus,
      cpuQuota: plan.cpuQuota,
      memoryBytes: memoryLimitOf(service, machineMemoryBytes()),
      openFiles: service.openFiles,
      hosts: hostsOf(plan.placeholders),
    }),
  );
  if (plan.databaseNetwork !== null) await joinNetwork(engine, plan.databaseNetwork, container);
}

/** `database` is the pooler where there is one, as in the URL. */
function hostsOf(placeholders: PlaceholderValues): Record<string, string> {
  const address = placeholders['database.host'];
  return address === undefined ? {} : { database: address };
}

/** An engine whose kernel or rights allow no limit of CPU time leaves it out, with a warning. Throws `TestbedError` 'start-failed'. */
export function requireQuota(
  { state }: { state: Pick<ContainerState, 'cpuQuotaUs'> },
  { service, cpuQuota }: Pick<ServicePlan, 'service' | 'cpuQuota'>,
): void {
  if (cpuQuota === null || state.cpuQuotaUs === quotaUs(cpuQuota)) return;
  throw new TestbedError(
    'start-failed',
    `Service ${service.name} is to have ${cpuQuota} CPUs (\`cpus\`), and this engine cannot limit CPU time: \`docker info\` says why. Give the service whole CPUs, or use an engine with the cgroup controller \`cpu\`.`,
  );
}

/** Rejects with `TestbedError`: 'not-ready', 'nothing-listens', 'exited' or 'out-of-memory'. */
export async function waitForService(
  engine: Engine,
  part: Part,
  service: Service,
  asked: ReadyRequest | null,
  origin: string,
  signal: AbortSignal,
): Promise<void> {
  const { pid } = part.state;
  const { timeoutSeconds } = service.ready;
  await whileItLives(part, engine, signal, async (linked) => {
    const request = { origin, asked, protocol: service.protocol, timeoutSeconds, alive: () => isAlive(pid) };
    const readiness = await waitUntilReady(request, linked);
    if (readiness.kind === 'ready') return;
    if (part.meter.oomKills() > 0) throw outOfMemory(part.state, 'service', []);
    const words = readinessWords(service, asked, origin);
    switch (readiness.kind) {
      case 'answered':
        throw new TestbedError('not-ready', `${words.asked} and ${words.answers(readiness.status)}. ${words.more}`);
      case 'failed':
        throw new TestbedError('not-ready', `${words.asked} and gives no answer: ${readiness.message}. ${words.more}`);
      case 'refused': {
        const [listeners, { port }] = [listenersOf(pid), service];
        const why =
          describeIpv6Only(listeners, port) ?? `nothing listens on port ${port}; ${describeListeners(listeners, port)}`;
        throw new TestbedError('nothing-listens', `${words.asked}, but ${why}.`);
      }
      case 'ended':
        throw new TestbedError('exited', `${service.name} exited before it was ready.`);
    }
  });
}

function fill(service: Service, values: PlaceholderValues): { env: Record<string, string>; command: string[] } {
  try {
    const env = Object.entries(service.env).map(([name, value]) => [name, substitute(value, values)] as const);
    return {
      env: Object.fromEntries(env),
      command: (service.command ?? []).map((word) => substitute(word, values)),
    };
  } catch (error) {
    if (!(error instanceof PlaceholderError)) throw error;
    throw new TestbedError(
      'start-failed',
      `The environment of service ${service.name} cannot be filled in: ${error.message}.`,
    );
  }
}
