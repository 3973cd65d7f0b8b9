/** Names of the fixture images: see fixtures/images/README.md. `npm test` builds them before it runs a test. */
export const IMAGES = {
  postgres: 'wrkbench-fixture/postgres:15',
  pgbouncer: 'wrkbench-fixture/pgbouncer:latest',
  nginx: 'wrkbench-fixture/nginx:latest',
  redis: 'wrkbench-fixture/redis:latest',
  node: 'wrkbench-fixture/node:latest',
  runnerContainer: 'wrkbench-fixture/runner-container:latest',
  misbehaving: 'wrkbench-fixture/misbehaving:latest',
  restNode: 'wrkbench-fixture/rest-node:latest',
  itemStore: 'wrkbench-fixture/item-store:latest',
} as const;
