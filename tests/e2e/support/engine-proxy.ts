import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** This machine's engine, as one on another machine is reached. */
export interface EngineProxy {
  /** For `DOCKER_HOST`. */
  host: string;
  close(): void;
}

export async function engineProxy(): Promise<EngineProxy> {
  // The client of an attached container closes its own half first.
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const engine = connect({ path: '/var/run/docker.sock', allowHalfOpen: true });
    client.pipe(engine).pipe(client);
    for (const each of [client, engine]) each.on('error', () => each.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { host: `tcp://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => void proxy.close() };
}
