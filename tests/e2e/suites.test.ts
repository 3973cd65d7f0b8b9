// needs: linux, go, g++, wrk, ab, postgres, python
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, it } from 'vitest';
import { holdSuite } from './support/suite-run.ts';

/** The smallest, each by the command that its README names; the others: npm run bench:suites. */
const SMALLEST = [
  ['event-pong', ['express', 'go-fasthttp', 'beast']],
  ['users-1000', ['go', 'node-cluster', 'node-pm2', 'python-gunicorn', 'python-asyncio', 'python-uvloop']],
] as const;

beforeAll(async () => {
  const servers = SMALLEST.map(([suite]) => suite);
  await promisify(execFile)(process.execPath, ['scripts/suites/prepare.mjs', ...servers]);
}, 300_000);

describe('a suite in one command', () => {
  it.each(SMALLEST)('%s: measures each of its services', (suite, services) => holdSuite(suite, services), 300_000);
});
