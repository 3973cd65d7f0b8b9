// needs: linux, go, wrk, ab, postgres, python
// seconds: 51
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, it } from 'vitest';
import { holdSuite } from '../e2e/support/suite-run.ts';

const SERVICES = ['go', 'node-cluster', 'node-pm2', 'python-gunicorn', 'python-asyncio', 'python-uvloop'];

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['scripts/suites/prepare.mjs', 'users-1000']);
}, 300_000);

it('users-1000: measures each of its services', async () => {
  // Each answer is 182 KB: with the 2,000 requests of `--quick` it takes 45 s and more.
  await holdSuite('users-1000', SERVICES, '{ab: {requests: 150, connections: [128], keep-alive: [off]}}');
}, 300_000);
