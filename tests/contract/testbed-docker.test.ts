// needs: engine, linux
import { dockerRuntime } from '../../src/adapters/docker/runtime.ts';
import { buildFixtureImages, thingsOf } from '../integration/docker/given.ts';
import { IMAGES } from '../support/images.ts';
import { testbedContract } from './testbed.ts';

testbedContract('docker', {
  runtime: dockerRuntime({ environment: process.env }),
  async prepare() {
    buildFixtureImages('misbehaving', 'rest-node', 'postgres', 'pgbouncer', 'nginx');
  },
  restNode: () => ({ image: { kind: 'image', reference: IMAGES.restNode }, command: null }),
  misbehaving: () => ({ image: { kind: 'image', reference: IMAGES.misbehaving }, command: null }),
  images: { database: IMAGES.postgres, pooler: IMAGES.pgbouncer, gateway: IMAGES.nginx },
  unseen:
    process.getuid?.() === 0
      ? []
      : [
          'The listen backlog of a container is seen by root alone.',
          'Where a service writes its output is seen by root alone.',
        ],
  remains: (runId) => thingsOf(runId),
});
