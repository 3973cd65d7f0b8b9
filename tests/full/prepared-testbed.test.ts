// needs: postgres, redis, linux
// seconds: 100
import { networkNamespaceObstacle } from '../../src/adapters/process/network-namespace.ts';
import { preparedTestbedContract } from '../contract/prepared-testbed.ts';
import { remains, runtime } from '../integration/process-runtime/given.ts';
import { itemStoreProgram } from '../support/server-programs.ts';

let itemStore = '';

preparedTestbedContract('process', {
  runtime,
  network: networkNamespaceObstacle() === null ? 'internal' : 'open',
  async prepare() {
    itemStore = await itemStoreProgram();
  },
  itemStore: () => ({ image: null, command: ['node', itemStore] }),
  command: (...words) => ['node', itemStore, ...words],
  images: { database: '', pooler: '' },
  redis: (...options) => ({
    image: null,
    command: ['redis-server', '--port', '${port}', '--dir', '${folder}', ...options],
  }),
  remains: () => remains(),
});
