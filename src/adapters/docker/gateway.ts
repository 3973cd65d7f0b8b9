import { TestbedError } from '../../app/ports/testbed.ts';
import { GATEWAY_PORT } from '../../core/topology/nginx.ts';
import type { ReadyRequest } from '../../core/verification/ready-request.ts';
import type { GatewayConfiguration } from '../network/gateway-configuration.ts';
import { isAlive } from '../network/network-state.ts';
import { waitUntilReady } from '../network/readiness.ts';
import { CONFIGURATION_FOLDER, createContainer, putFiles } from './containers.ts';
import type { Engine } from './engine.ts';
import { NOBODY, type Part, type PartFrame, partContainer, startPart, whileItLives } from './part.ts';

export interface GatewayPlan {
  container: string;
  image: string;
  network: string;
  cpus: string;
  /** Number of CPUs in `cpus`. */
  workers: number;
  openFiles: number;
  /** `ADDRESS:PORT` of the service. */
  upstream: string;
  configuration: GatewayConfiguration;
}

const READY_SECONDS = 15;

/** nginx, started with a configuration of ours or the spec's whatever the image's entrypoint would make. */
export async function startGateway(engine: Engine, plan: GatewayPlan, frame: PartFrame): Promise<Part> {
  const create = async () => {
    await createContainer(
      engine,
      partContainer(frame, {
        name: plan.container,
        image: plan.image,
        entrypoint: 'nginx',
        command: ['-c', `${CONFIGURATION_FOLDER}/nginx.conf`],
        user: NOBODY,
        network: plan.network,
        cpus: plan.cpus,
        openFiles: plan.openFiles,
      }),
    );
    await putFiles(engine, plan.container, { 'nginx.conf': plan.configuration.of(plan) });
  };
  await create();
  return await startPart(engine, 'gateway', plan.container, frame, create);
}

/** Address of the gateway as the generator reaches it. */
export function gatewayOrigin(part: Part, network: string): string {
  return `http://${part.state.addresses[network]}:${GATEWAY_PORT}`;
}

/** Waits for what the service is asked to answer through the gateway; the service must be up. Rejects with 'gateway-failed'. */
export async function waitForGateway(
  engine: Engine,
  part: Part,
  origin: string,
  asked: ReadyRequest | null,
  { advice }: GatewayConfiguration,
  signal: AbortSignal,
): Promise<void> {
  await whileItLives(part, engine, signal, async (linked) => {
    const alive = () => isAlive(part.state.pid);
    const readiness = await waitUntilReady(
      { origin, asked, protocol: 'h1', timeoutSeconds: READY_SECONDS, alive },
      linked,
    );
    if (readiness.kind === 'ready') return;
    const how = readiness.kind === 'answered' ? `answers with status ${readiness.status}` : 'gives no answer';
    throw new TestbedError(
      'gateway-failed',
      `The gateway was asked for ${origin}${asked?.path ?? ''} for ${READY_SECONDS} s and ${how}, while the service itself answers.${advice}`,
    );
  });
}
