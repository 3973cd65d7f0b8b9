import { TestbedError } from '../../app/ports/testbed.ts';
import type { Engine } from './engine.ts';
import { EngineFailure } from './engine-failure.ts';
import { bridgeOf, keepFromMetadata, METADATA_ADDRESS } from './metadata-rules.ts';

/** An `internal` network has no way out: the engine drops what would leave it, and newer ones give it no default route. */
export interface NetworkPlan {
  name: string;
  internal: boolean;
  labels: Record<string, string>;
}

/**
 * A network that reaches no metadata service of a cloud, as far as this user may see to it. Without IPv6, whatever the engine gives
 * by default: on AWS the service has an address there too. Resolves to a sentence where services can reach it all the same, else to
 * null. Rejects with `TestbedError` 'start-failed'.
 */
export async function createNetwork(engine: Engine, plan: NetworkPlan): Promise<string | null> {
  const labels = Object.entries(plan.labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]);
  const internal = plan.internal ? ['--internal'] : [];
  const bridge = bridgeOf(plan.name);
  const options = ['--driver', 'bridge', '--opt', `com.docker.network.bridge.name=${bridge}`, '--ipv6=false'];
  try {
    await engine.call(['network', 'create', ...options, ...internal, ...labels, plan.name]);
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    const hint = /address pool|subnet/i.test(error.message)
      ? ' Unused networks take up the addresses: docker network prune removes them.'
      : '';
    throw new TestbedError('start-failed', `The network ${plan.name} cannot be created (${error.message})${hint}`);
  }
  const obstacle = await keepFromMetadata(bridge);
  // What has no way out needs no rule.
  return obstacle === null || plan.internal ? null : unprotected(obstacle);
}

function unprotected(obstacle: string): string {
  return `Services can reach ${METADATA_ADDRESS}, where clouds hand out the credentials of a machine: the rule that prevents it could not be set (${obstacle}). Give services that ask nobody else \`network: internal\` in the spec, or do not measure code of others on this machine.`;
}

/** Rejects with `TestbedError` 'start-failed'. */
export async function joinNetwork(engine: Engine, network: string, container: string): Promise<void> {
  try {
    await engine.call(['network', 'connect', network, container]);
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    throw new TestbedError('start-failed', `The container ${container} cannot join ${network} (${error.message})`);
  }
}
