import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { type PrepareRequest, TestbedError, type TestbedRequest } from '../../app/ports/testbed.ts';
import { parseCpuList } from '../../core/config/cpu-list.ts';
import { cpuQuotaOf, isPartial } from '../../core/config/cpu-quota.ts';
import { PlaceholderError, type PlaceholderValues, substitute } from '../../core/config/placeholders.ts';
import type { Service } from '../../core/config/resolved.ts';
import { describeIpv6Only, type Listener } from '../../core/topology/listening.ts';
import { memoryLimitOf } from '../../core/topology/memory-limit.ts';
import { choosesItsPort } from '../../core/topology/shared-port.ts';
import { readinessWords, readyRequestOf } from '../../core/verification/ready-request.ts';
import { waitUntilReady } from '../network/readiness.ts';
import { childEnvironment } from '../process/child-environment.ts';
import { cpuLimitObstacle } from '../process/cpu-limit.ts';
import { machineMemoryBytes } from '../process/machine-memory.ts';
import { failureOf, whileItLives } from '../process/part.ts';
import { noCpuLimit, type ProcessGroup, startGroup } from '../process/process-group.ts';
import { findProgram } from '../process/programs.ts';
import { checkPortFree, freePort, ownListeners } from '../process/tcp-ports.ts';
import type { TestbedFolder } from '../process/testbed-folder.ts';

export interface ServicePlan {
  request: TestbedRequest;
  id: string;
  folder: TestbedFolder;
  /** Those of the database; empty without one. */
  placeholders: PlaceholderValues;
}

export interface ServiceProcess {
  group: ProcessGroup;
  origin: string;
  port: number;
}

/** Why the service cannot be started as a process at all; null where it can. */
export function serviceObstacle(
  service: Service,
  { specDirectory }: Pick<PrepareRequest, 'specDirectory'>,
): TestbedError | null {
  const [program] = service.command ?? [];
  if (program === undefined) {
    return new TestbedError(
      'start-failed',
      `Service ${service.name} has no \`command\`, which the process runtime starts. Add one, or run with --runtime docker.`,
    );
  }
  if (service.network === 'internal') {
    return new TestbedError(
      'start-failed',
      `Service ${service.name} has \`network: internal\`, and a process cannot be kept from the machine's network. Run with --runtime docker, or leave the key out.`,
    );
  }
  const noLimit = isPartial(service.cpus) ? cpuLimitObstacle() : null;
  if (noLimit !== null)
    return new TestbedError('start-failed', noCpuLimit(`Service ${service.name}`, service.cpus!, noLimit));
  const directory = resolve(specDirectory, service.workingDirectory);
  if (program.includes('${') || findProgram(program, directory) !== null) return null;
  const where = program.includes('/') ? `in ${directory}` : 'on the PATH';
  return new TestbedError(
    'start-failed',
    `Service ${service.name} cannot be started: there is no program \`${program}\` ${where}. Install it, or correct its command.`,
  );
}

/**
 * Starts the service and waits until it is up. A service that names `${port}` gets a free port; every other one is
 * expected on the port of the spec. Both find it in PORT too.
 * Rejects with `TestbedError`: 'start-failed', 'not-ready', 'nothing-listens', 'exited' or 'out-of-memory'.
 */
export async function startService(plan: ServicePlan, signal: AbortSignal): Promise<ServiceProcess> {
  const { service, specDirectory, placement } = plan.request;
  const title = `Service ${service.name}`;
  const port = choosesItsPort(service) ? await freePort() : service.port;
  if (port === service.port) await checkPortFree(port, title);
  const cpus = String(parseCpuList(placement.service)?.length ?? availableParallelism());
  const { command, env } = fill(service, { ...plan.placeholders, port: String(port), service: service.name, cpus });
  signal.throwIfAborted();
  const group = await startGroup({
    title,
    id: plan.id,
    command,
    directory: resolve(specDirectory, service.workingDirectory),
    env: childEnvironment({ PORT: String(port), ...env }),
    cpus: placement.service,
    cpuQuota: cpuQuotaOf(service, placement),
    openFiles: service.openFiles,
    memoryBytes: memoryLimitOf(service, machineMemoryBytes()),
    user: null,
    logFile: join(plan.folder.path, 'service.log'),
    endSignal: 'SIGTERM',
    graceSeconds: 3,
    orphanSignal: 'KILL',
  });
  try {
    const origin = `http://127.0.0.1:${port}`;
    await whileItLives('service', group, signal, (linked) => waitForService(plan.request, group, origin, port, linked));
    return { group, origin, port };
  } catch (error) {
    await group.stop();
    throw error;
  }
}

async function waitForService(
  { service, spec: { endpoints } }: TestbedRequest,
  group: ProcessGroup,
  origin: string,
  port: number,
  signal: AbortSignal,
): Promise<void> {
  const { timeoutSeconds } = service.ready;
  const request = readyRequestOf(service, endpoints);
  const alive = () => group.exit() === null;
  const readiness = await waitUntilReady(
    { origin, asked: request, protocol: service.protocol, timeoutSeconds, alive },
    signal,
  );
  if (readiness.kind === 'ready') return;
  const { asked, answers, more } = readinessWords(service, request, origin);
  switch (readiness.kind) {
    case 'answered':
      throw new TestbedError('not-ready', `${asked} and ${answers(readiness.status)}. ${more}`);
    case 'failed':
      throw new TestbedError('not-ready', `${asked} and gives no answer: ${readiness.message}. ${more}`);
    case 'refused':
      throw new TestbedError('nothing-listens', `${asked}, but ${whyRefused(group, port)}.`);
    case 'ended':
      throw failureOf('service', group) ?? new TestbedError('exited', `${service.name} exited before it was ready.`);
  }
}

function whyRefused(group: ProcessGroup, port: number): string {
  const listeners = ownListeners(group.tree.members());
  return describeIpv6Only(listeners, port) ?? `nothing listens on port ${port}; ${otherPorts(listeners)}`;
}

function otherPorts(listeners: Listener[]): string {
  const ports = [...new Set(listeners.map(({ port }) => port))];
  if (ports.length === 0)
    return 'it listens on no port at all: look at its log, or name the port that it will listen on';
  const shown = ports.length === 1 ? `port ${ports[0]}` : `ports ${ports.join(', ')}`;
  return `it listens on ${shown}: set the service's port in the spec, or tell the server its port by \${port} or PORT`;
}

function fill(service: Service, values: PlaceholderValues): { command: string[]; env: Record<string, string> } {
  try {
    const env = Object.entries(service.env).map(([name, value]) => [name, substitute(value, values)] as const);
    return {
      command: (service.command ?? []).map((word) => substitute(word, values)),
      env: Object.fromEntries(env),
    };
  } catch (error) {
    if (!(error instanceof PlaceholderError)) throw error;
    throw new TestbedError(
      'start-failed',
      `The environment of service ${service.name} cannot be filled in: ${error.message}.`,
    );
  }
}
