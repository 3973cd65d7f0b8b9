import { portPlaceholder } from '../../core/config/placeholders.ts';
import type { Service } from '../../core/config/resolved.ts';
import { choosesItsPort } from '../../core/topology/shared-port.ts';
import type { NetworkNamespace } from '../process/network-namespace.ts';
import { checkPortFree, freePort } from '../process/tcp-ports.ts';

/** Where one start of a part listens: at the port of its spec or a free one, and so for its further ports. */
export interface SeatPorts<Port extends number | null = number | null> {
  port: Port;
  ports: Readonly<Record<string, number>>;
}

type Listening<Port> = Pick<Service, 'entrypoint' | 'command' | 'env' | 'ports'> & { port: Port };

/** `title` and `whose` are for the sentence that a port is taken: `Service api`, `the service`. Rejects with `TestbedError` 'start-failed'. */
export async function seatPorts<Port extends number | null>(
  listening: Listening<Port>,
  title: string,
  { whose = 'the service', network }: { whose?: string; network: NetworkNamespace | null },
): Promise<SeatPorts<Port>> {
  const chosen = async (port: number, placeholder: string) => {
    if (choosesItsPort(listening, placeholder)) return await freePort();
    // In a network of its own the numbers are the side's own.
    if (network === null) await checkPortFree(port, title, { whose, placeholder });
    return port;
  };
  const port = listening.port === null ? null : await chosen(listening.port, 'port');
  const ports: Record<string, number> = {};
  for (const [name, number] of Object.entries(listening.ports ?? {})) {
    ports[name] = await chosen(number, portPlaceholder(name));
  }
  return { port: port as Port, ports };
}
