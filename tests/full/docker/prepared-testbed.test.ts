// needs: engine, linux
// seconds: 120
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import { preparedTestbedContract } from '../../contract/prepared-testbed.ts';
import { buildFixtureImages, thingsOf } from '../../integration/docker/given.ts';
import { IMAGES } from '../../support/images.ts';

const runtime = dockerRuntime({ environment: process.env });

preparedTestbedContract('docker', {
  network: 'internal',
  runtime,
  async prepare() {
    buildFixtureImages('item-store', 'postgres', 'pgbouncer', 'redis');
  },
  itemStore: () => ({ image: { kind: 'image', reference: IMAGES.itemStore }, command: null }),
  command: (...words) => words,
  images: { database: IMAGES.postgres, pooler: IMAGES.pgbouncer },
  redis: (...options) => ({
    image: { kind: 'image', reference: IMAGES.redis },
    command: options.length === 0 ? null : ['redis-server', ...options],
  }),
  remains: (runId) => thingsOf(runId),
});
