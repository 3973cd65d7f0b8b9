import { describe, expect, it } from 'vitest';
import type { PassRequests } from '../../../src/app/measuring/verification.ts';
import { unloadedPass } from '../../../src/app/measuring/verification.ts';
import type { Case } from '../../../src/core/config/case.ts';
import type { UnloadedPass } from '../../../src/core/measurement/measurement.ts';
import { type FakeMeasuring, fakeMeasuring } from '../support/fake-measuring.ts';

const endpoint = { name: 'ping', method: 'GET', path: '/ping' } as Case['endpoint'];
const NEVER = new AbortController().signal;

async function passOf(given: FakeMeasuring, change: object = {}): Promise<UnloadedPass> {
  const { adapters } = fakeMeasuring(given);
  const request = { service: { name: 'go' }, variant: 'candidate', round: 1 };
  const testbed = { ...(await adapters.runtime.start(request as never, NEVER)), ...change };
  const known: PassRequests = new Map();
  return await unloadedPass(testbed, { endpoint, route: 'direct' }, known, adapters, NEVER);
}

describe('the system calls of a pass', () => {
  it('are those of its requests, without those of a window without any', async () => {
    expect(await passOf({ syscalls: [814, 6] })).toMatchObject({ requests: 200, syscalls: 808 });
  });

  it('are never fewer than none', async () => {
    expect((await passOf({ syscalls: [5, 9] })).syscalls).toBe(0);
  });

  it('are absent where they cannot be counted', async () => {
    expect(await passOf({ syscalls: null })).not.toHaveProperty('syscalls');
  });

  it('are absent where no call was seen, since an answer takes one', async () => {
    expect(await passOf({ syscalls: [0, 0] })).not.toHaveProperty('syscalls');
  });

  it('leave the statements as they are', async () => {
    const statements = [{ query: 'SELECT 1', calls: 200, rows: 200, totalMs: 1 }];
    let resets = 0;
    const database = {
      version: '18',
      statements: async () => (resets > 1 ? [] : statements),
      resetStatements: async () => {
        resets += 1;
      },
    };
    const pass = await passOf({ syscalls: [814, 14] }, { database });
    expect(pass).toMatchObject({ syscalls: 800, statements });
    expect(pass).not.toHaveProperty('background');
  });
});
