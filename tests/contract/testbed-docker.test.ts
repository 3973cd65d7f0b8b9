// needs: engine, linux
import { dockerRuntime } from '../../src/adapters/docker/runtime.ts';
import { buildFixtureImages, thingsOf } from '../integration/docker/given.ts';
import { IMAGES } from '../support/images.ts';
import { testbedContract } from './testbed.ts';

const runtime = dockerRuntime({ environment: process.env });

testbedContract('docker', {
  runtime,
  async prepare() {
    buildFixtureImages('misbehaving', 'rest-node', 'postgres', 'pgbouncer', 'nginx', 'redis');
  },
  restNode: () => ({ image: { kind: 'image', reference: IMAGES.restNode }, command: null }),
  misbehaving: () => ({ image: { kind: 'image', reference: IMAGES.misbehaving }, command: null }),
  // Whatever the image holds beside Node.js: the server comes as a file of the checkout.
  dialler: () => ({
    image: { kind: 'image', reference: IMAGES.node },
    command: ['node', '/srv/dialler/server.cjs'],
    files: { 'fixtures/servers/dialler/server.cjs': '/srv/dialler/server.cjs' },
  }),
  overTls: (way) => ({
    image: { kind: 'image', reference: IMAGES.node },
    command: ['node', '/srv/tls/server.cjs', way],
    files: { 'fixtures/servers/tls/server.cjs': '/srv/tls/server.cjs' },
  }),
  redis: () => ({ image: { kind: 'image', reference: IMAGES.redis }, command: null }),
  images: { database: IMAGES.postgres, pooler: IMAGES.pgbouncer, gateway: IMAGES.nginx },
  replicaIsUp: ['sh', '-c', 'redis-cli info replication | grep -q master_link_status:up'],
  reachesOtherSide: false,
  unseen:
    process.getuid?.() === 0
      ? []
      : [
          'The listen backlog of a container is seen by root alone.',
          'Where a service writes its output is seen by root alone.',
        ],
  remains: (runId) => thingsOf(runId),
});
