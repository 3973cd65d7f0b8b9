// needs: linux, root, go, g++, wrk, ab
// seconds: 51
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, it } from 'vitest';
import { holdSuite } from '../e2e/support/suite-run.ts';

/** By the command that its README names; the larger ones: npm run bench:suites. */
const SUITES = [
  ['hardware-tax', ['go', 'bun', 'node', 'epoll']],
  ['event-pong', ['express', 'go-fasthttp', 'beast']],
] as const;

beforeAll(async () => {
  const names = SUITES.map(([suite]) => suite);
  await promisify(execFile)(process.execPath, ['scripts/suites/prepare.mjs', ...names]);
}, 300_000);

describe('a suite with part of a CPU for each service', () => {
  it.each(SUITES)('%s: measures each of its services', (suite, services) => holdSuite(suite, services), 300_000);
});
