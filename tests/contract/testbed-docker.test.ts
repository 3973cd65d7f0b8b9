// needs: engine, linux
import { dockerRuntime } from '../../src/adapters/docker/runtime.ts';
import { buildFixtureImages, thingsOf } from '../integration/docker/given.ts';
import { IMAGES } from '../support/images.ts';
import { testbedContract } from './testbed.ts';
import { testbedNetworksContract } from './testbed-networks.ts';

const runtime = dockerRuntime({ environment: process.env });

// Whatever the image holds beside Node.js: the server comes as a file of the checkout.
const dialler = () => ({
  image: { kind: 'image' as const, reference: IMAGES.node },
  command: ['node', '/srv/dialler/server.cjs'],
  files: { 'fixtures/servers/dialler/server.cjs': '/srv/dialler/server.cjs' },
});
const restNode = () => ({ image: { kind: 'image' as const, reference: IMAGES.restNode }, command: null });
const redis = () => ({ image: { kind: 'image' as const, reference: IMAGES.redis }, command: null });
const images = { database: IMAGES.postgres, pooler: IMAGES.pgbouncer, gateway: IMAGES.nginx };

testbedContract('docker', {
  runtime,
  async prepare() {
    buildFixtureImages('misbehaving', 'rest-node', 'postgres', 'pgbouncer', 'nginx', 'redis');
  },
  restNode,
  misbehaving: () => ({ image: { kind: 'image', reference: IMAGES.misbehaving }, command: null }),
  dialler,
  redis,
  images,
  replicaIsUp: ['sh', '-c', 'redis-cli info replication | grep -q master_link_status:up'],
  reachesOtherSide: false,
  hasOwnPorts: true,
  unseen:
    process.getuid?.() === 0
      ? []
      : [
          'The listen backlog of a container is seen by root alone.',
          'Where a service writes its output is seen by root alone.',
        ],
  remains: (runId) => thingsOf(runId),
});

testbedNetworksContract('docker', {
  ...{ runtime, restNode, dialler, redis, images, redisIsUp: ['redis-cli', 'ping'], obstacle: null },
  async prepare() {
    buildFixtureImages('rest-node', 'postgres', 'pgbouncer', 'nginx', 'redis');
  },
  remains: (runId) => thingsOf(runId),
});
