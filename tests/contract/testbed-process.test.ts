// needs: postgres, redis, go, linux
import { networkNamespaceObstacle } from '../../src/adapters/process/network-namespace.ts';
import { remains, runtime } from '../integration/process-runtime/given.ts';
import { misbehavingProgram, restNodeProgram } from '../support/server-programs.ts';
import { testbedContract } from './testbed.ts';
import { testbedNetworksContract } from './testbed-networks.ts';

let misbehaving = '';
let restNode = '';

testbedContract('process', {
  runtime,
  async prepare() {
    misbehaving = await misbehavingProgram();
    restNode = await restNodeProgram();
  },
  restNode: () => ({ image: null, command: ['node', restNode] }),
  misbehaving: () => ({ image: null, command: [misbehaving] }),
  dialler: () => ({ image: null, command: ['node', 'fixtures/servers/dialler/server.cjs'] }),
  overTls: (way) => ({ image: null, command: ['node', 'fixtures/servers/tls/server.cjs', way] }),
  redis: () => ({ image: null, command: ['redis-server', '--port', '${port}', '--save', '', '--dir', '${folder}'] }),
  images: { database: '', pooler: '', gateway: '' },
  replicaIsUp: ['sh', '-c', 'redis-cli -p ${port} info replication | grep -q master_link_status:up'],
  reachesOtherSide: true,
  hasOwnPorts: false,
  unseen: [],
  remains: () => remains(),
});

testbedNetworksContract('process', {
  runtime,
  async prepare() {
    restNode = await restNodeProgram();
  },
  restNode: () => ({ image: null, command: ['node', restNode] }),
  dialler: () => ({ image: null, command: ['node', 'fixtures/servers/dialler/server.cjs'] }),
  redis: () => ({ image: null, command: ['redis-server', '--port', '6379', '--save', '', '--dir', '${folder}'] }),
  redisIsUp: ['redis-cli', 'ping'],
  images: { database: '', pooler: '', gateway: '' },
  obstacle: networkNamespaceObstacle(),
  remains: () => remains(),
});
