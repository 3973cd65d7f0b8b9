// needs: linux, root, go, g++, wrk, ab
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, it } from 'vitest';
import { holdSuite } from './support/suite-run.ts';

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['scripts/suites/prepare.mjs', 'hardware-tax']);
}, 300_000);

it('hardware-tax: measures each of its services, with a quarter of a CPU', async () => {
  await holdSuite('hardware-tax', ['go', 'bun', 'node', 'epoll']);
}, 300_000);
