import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestbedError } from '../../app/ports/testbed.ts';
import { parseCpuList } from '../../core/config/cpu-list.ts';
import type { ReadyRequest } from '../../core/verification/ready-request.ts';
import type { GatewayConfiguration } from '../network/gateway-configuration.ts';
import { waitUntilReady } from '../network/readiness.ts';
import { childEnvironment } from '../process/child-environment.ts';
import { mostOpenFiles } from '../process/open-files.ts';
import { whileItLives } from '../process/part.ts';
import { type ProcessGroup, startGroup } from '../process/process-group.ts';
import { requireTool } from '../process/programs.ts';
import { unprivilegedUser } from '../process/system-user.ts';
import { freePort } from '../process/tcp-ports.ts';
import { makeTestbedFolder } from '../process/testbed-folder.ts';

export interface GatewayPlan {
  id: string;
  cpus: string;
  openFiles: number;
  /** `ADDRESS:PORT` of the service, which answers already. */
  upstream: string;
  /** Null where an open port is enough. */
  asked: ReadyRequest | null;
  configuration: GatewayConfiguration;
}

export interface GatewayProcess {
  group: ProcessGroup;
  origin: string;
  stop(): Promise<void>;
}

const READY_SECONDS = 15;

/** nginx of this machine in front of the service. Rejects with `TestbedError` 'tool-missing' or 'gateway-failed'. */
export async function startGateway(plan: GatewayPlan, signal: AbortSignal): Promise<GatewayProcess> {
  const nginx = requireTool('nginx');
  // Not root: its workers would become a user that cannot enter the folder.
  const user = unprivilegedUser();
  const folder = makeTestbedFolder(false, user);
  try {
    const port = await freePort();
    const workers = parseCpuList(plan.cpus)?.length ?? 1;
    const configuration = join(folder.path, 'nginx.conf');
    const { upstream } = plan;
    // It sets the limit itself too, and may not raise it.
    const openFiles = Math.min(plan.openFiles, mostOpenFiles());
    const nginxPlan = { upstream, openFiles, workers, listen: `127.0.0.1:${port}`, folder: folder.path };
    writeFileSync(configuration, plan.configuration.of(nginxPlan), { mode: 0o644 });
    const group = await startGroup({
      title: 'The gateway (nginx)',
      id: plan.id,
      command: [nginx, '-p', folder.path, '-c', configuration],
      directory: folder.path,
      env: childEnvironment({ HOME: folder.path }),
      cpus: plan.cpus,
      openFiles,
      memoryBytes: null,
      user,
      logFile: join(folder.path, 'nginx.log'),
      endSignal: 'SIGTERM',
      graceSeconds: 3,
      orphanSignal: 'KILL',
    });
    const stop = () => group.stop().then(() => folder.remove());
    const origin = `http://127.0.0.1:${port}`;
    try {
      await whileItLives('gateway', group, signal, (linked) => waitForGateway(group, origin, plan, linked));
    } catch (error) {
      await stop();
      throw error;
    }
    return { group, origin, stop };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

async function waitForGateway(
  group: ProcessGroup,
  origin: string,
  { asked, configuration: { advice } }: GatewayPlan,
  signal: AbortSignal,
): Promise<void> {
  const alive = () => group.exit() === null;
  const readiness = await waitUntilReady(
    { origin, asked, protocol: 'h1', timeoutSeconds: READY_SECONDS, alive },
    signal,
  );
  if (readiness.kind === 'ready') return;
  const how = readiness.kind === 'answered' ? `answers with status ${readiness.status}` : 'gives no answer';
  throw new TestbedError(
    'gateway-failed',
    `The gateway was asked for ${origin}${asked?.path ?? ''} for ${READY_SECONDS} s and ${how}, while the service itself answers.${advice}`,
  );
}
