// needs: nothing
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectWhenReady, openConnection } from '../../../src/adapters/postgres/ready-connection.ts';

/** Takes connections, never says a word, and lets go when the client does, as a server that is about to be killed. */
async function silentServer() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const accepted = once(server, 'connection').then(([socket]) => {
    socket.resume();
    onTestFinished(() => void socket.destroy());
  });
  const { port } = server.address() as AddressInfo;
  const address = { host: '127.0.0.1', port, user: 'u', password: 'p', database: 'd', readyTimeoutSeconds: 60 };
  return { address, accepted };
}

describe('a connection that is aborted while it is made', () => {
  it.each([
    ['once', openConnection],
    ['until the server is ready', connectWhenReady],
  ])(
    'tried %s, ends with the reason',
    async (_, connect) => {
      const { address, accepted } = await silentServer();
      const abort = new AbortController();
      const reason = new Error('interrupted');
      const connected = connect(address, abort.signal);
      const ended = expect(connected).rejects.toBe(reason);
      await accepted;
      abort.abort(reason);
      await ended;
    },
    10_000,
  );
});
