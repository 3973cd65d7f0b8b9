import type { Service } from '../../core/config/resolved.ts';
import { type NetworkNamespace, startNetworkNamespace } from '../process/network-namespace.ts';

/** The network of one side of a service that has `network: internal`; null for that of this machine. Rejects as `startNetworkNamespace`. */
export async function sideNetwork(
  { network }: Pick<Service, 'network'>,
  newId: () => string,
  signal: AbortSignal,
): Promise<NetworkNamespace | null> {
  return network === 'internal' ? await startNetworkNamespace(newId(), signal) : null;
}

/** How a server beside the service gets there. */
export function enterOf(network: NetworkNamespace | null): Partial<Pick<NetworkNamespace, 'enter'>> {
  return network === null ? {} : { enter: network.enter };
}
