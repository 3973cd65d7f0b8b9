// needs: linux, go, g++, nginx, postgres
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, it } from 'vitest';
import { CONTRACTS } from './contracts.ts';
import { holdTo } from './holding.ts';

/** Those that need next to no preparation; the others: npm run suites:check. */
const HERE = [
  ['abstract-rest', 'node'],
  ['apostol-rest', 'nginx'],
  ['hardware-tax', 'go'],
  ['hardware-tax', 'node'],
  ['hardware-tax', 'epoll'],
] as const;

beforeAll(async () => {
  const servers = HERE.map(([suite, service]) => `${suite}/${service}`);
  await promisify(execFile)(process.execPath, ['scripts/suites/prepare.mjs', ...servers]);
});

describe('servers of the suites', () => {
  it.each(HERE)('%s: %s answers as its suite expects', async (suite, service) => {
    const contract = CONTRACTS[suite]!.find((contract) => contract.service === service)!;
    await holdTo(suite, contract);
  });
});
