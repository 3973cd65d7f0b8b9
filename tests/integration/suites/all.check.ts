// Every server of the suites that can be started as a process, after `npm run suites:prepare`: npm run suites:check.
import { describe, it } from 'vitest';
import { CONTRACTS } from './contracts.ts';
import { holdTo } from './holding.ts';

describe.each(Object.entries(CONTRACTS))('%s', (suite, contracts) => {
  it.each(contracts)('$service answers as its suite expects', async (contract) => {
    await holdTo(suite, contract);
  });
});
