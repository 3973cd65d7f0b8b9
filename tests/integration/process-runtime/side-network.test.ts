// needs: linux
import { afterEach, describe, expect, it } from 'vitest';
import { networkNamespaceObstacle, startNetworkNamespace } from '../../../src/adapters/process/network-namespace.ts';
import { groupId, ownIdentity } from '../../../src/adapters/process/owner.ts';
import { ask, never, remains, requestFor, running, serviceWith, specWith } from './given.ts';

const DIALLER = 'fixtures/servers/dialler/server.cjs';
afterEach(() => expect(remains()).toEqual([]));

describe('the network of one side', () => {
  if (networkNamespaceObstacle() !== null) {
    it('is refused where this machine can make none', async () => {
      await expect(startNetworkNamespace(groupId(ownIdentity(), 'refused'), never())).rejects.toThrow();
    });
    return;
  }

  it('has no way out, and a service that is root can make none', async () => {
    const tries = [
      'ip link set lo down',
      `nsenter --net=/proc/${process.pid}/ns/net true`,
      'ip route add default dev lo',
    ];
    const command = [
      '/bin/sh',
      '-c',
      `for try in ${tries.map((each) => `'${each}'`).join(' ')}; do $try && echo "done: $try"; done; exec node ${DIALLER}`,
    ];
    const service = serviceWith({ command, network: 'internal', ready: { path: '/ping', timeoutSeconds: 20 } });
    await running(requestFor(specWith(service)), async (testbed) => {
      const said = await testbed.logLines('service', 10);
      expect(said.filter((line) => /Operation not permitted|Permission denied/.test(line))).toHaveLength(tries.length);
      expect(said.filter((line) => line.startsWith('done: '))).toEqual([]);
      const elsewhere = new URLSearchParams({ host: '192.0.2.1', port: '80' });
      expect((await ask(`${testbed.origins.direct}/dial?${elsewhere}`)).body).toBe('ENETUNREACH');
    });
  });

  it('has addresses of its own beside others, whoever they belong to', async () => {
    const networks = await Promise.all(
      ['one', 'two', 'three'].map((name) => startNetworkNamespace(groupId(ownIdentity(), name), never())),
    );
    try {
      expect(new Set(networks.map(({ address }) => address)).size).toBe(3);
      expect(remains()).toHaveLength(6);
    } finally {
      await Promise.all(networks.map((each) => each.stop()));
    }
  });
});
