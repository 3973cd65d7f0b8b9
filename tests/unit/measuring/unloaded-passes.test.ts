import { describe, expect, it } from 'vitest';
import { restAfterStart } from '../../../src/app/measuring/rest-after-start.ts';
import { countedPass, withoutBackground } from '../../../src/app/measuring/unloaded-passes.ts';
import { UncountedStatements } from '../../../src/app/ports/testbed.ts';
import type { Case } from '../../../src/core/config/case.ts';
import type { UnloadedPass } from '../../../src/core/measurement/measurement.ts';
import { type FakeMeasuring, fakeMeasuring } from '../support/fake-measuring.ts';

const endpoint = (name: string) => ({ name, method: 'GET', path: `/${name}` }) as Case['endpoint'];
const NEVER = new AbortController().signal;

async function passesOf(
  given: FakeMeasuring,
  names: readonly string[],
  change: object = {},
  round = 1,
): Promise<UnloadedPass[]> {
  const { adapters } = fakeMeasuring(given);
  const request = { service: { name: 'go' }, variant: 'candidate', round };
  const testbed = { ...(await adapters.runtime.start(request as never, NEVER)), ...change };
  const requestsOf = async (key: string, fitting: number) => (key === 'direct slow' ? 20 : fitting);
  const counted = [];
  const passing = { requestsOf, rested: restAfterStart(testbed, adapters.clock, new Set()) };
  for (const name of names) {
    counted.push(await countedPass(testbed, { endpoint: endpoint(name), route: 'direct' }, passing, adapters, NEVER));
  }
  return await withoutBackground(counted, testbed, adapters, NEVER);
}

const passOf = async (given: FakeMeasuring, change: object = {}) => (await passesOf(given, ['ping'], change))[0]!;

describe('the requests of a pass', () => {
  it('are as many as three seconds hold at first and one second in each round, 20 to 200', async () => {
    const requests = async (requestSeconds: number, round: number) =>
      (await passesOf({ syscalls: null, requestSeconds }, ['ping'], {}, round))[0]!.requests;
    expect([await requests(0.03, 0), await requests(0.03, 1)]).toEqual([100, 33]);
    expect([await requests(0.001, 0), await requests(0.001, 1)]).toEqual([200, 200]);
    expect([await requests(1, 0), await requests(1, 1)]).toEqual([20, 20]);
  });
});

describe('the system calls of a pass', () => {
  it('are those of its requests, without those of a window without any', async () => {
    expect(await passOf({ syscalls: [814, 6] })).toMatchObject({ requests: 200, syscalls: 808 });
  });

  it('of several endpoints are without their share of one window, by the time that each pass took', async () => {
    // 200 requests, 20 requests and the window, which is as long as the longer pass.
    const passes = await passesOf({ syscalls: [800, 100, 50] }, ['ping', 'slow']);
    expect(passes.map(({ requests, syscalls }) => [requests, syscalls])).toEqual([
      [200, 750],
      [20, 95],
    ]);
  });

  it('of a slow endpoint are without a share of a window that is shorter than its pass', async () => {
    // 20 requests in 9 s, and a window of 3 s.
    expect(await passOf({ syscalls: [40, 3], requestSeconds: 0.45 })).toMatchObject({ requests: 20, syscalls: 31 });
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
    const pass = await passOf({ syscalls: [814, 14] }, { database: databaseWith([statements, []]) });
    expect(pass).toMatchObject({ syscalls: 800, statements });
    expect(pass).not.toHaveProperty('background');
  });
});

describe('the statements of a pass', () => {
  const own = { query: 'SELECT * FROM users', calls: 200, rows: 200, totalMs: 9 };
  const heartbeat = { query: 'SELECT 1', calls: 1, rows: 1, totalMs: 1 };

  it('are without those that are sent without a request as well, which are named', async () => {
    const database = databaseWith([[own, heartbeat], [], [own], [heartbeat]]);
    const passes = await passesOf({ syscalls: null }, ['ping', 'users'], { database });
    expect(passes[0]).toMatchObject({ statements: [own], background: ['SELECT 1'] });
    expect(passes[1]).toMatchObject({ statements: [own] });
    expect(passes[1]).not.toHaveProperty('background');
  });

  it('keep what each request sends of a statement that a timer sends as well', async () => {
    const both = { query: 'SELECT 1', calls: 201, rows: 402, totalMs: 20.1 };
    const database = databaseWith([[both], [], [heartbeat]]);
    expect((await passOf({ syscalls: null }, { database })).statements).toEqual([
      { query: 'SELECT 1', calls: 200, rows: 400, totalMs: 20.1 * (200 / 201) },
    ]);
  });

  it('are without a job of many statements that ran at rest too', async () => {
    const job = { query: 'DELETE FROM old', calls: 450, rows: 0, totalMs: 9 };
    const database = databaseWith([[own, job], [], [{ ...job, calls: 440 }]]);
    expect((await passOf({ syscalls: null }, { database })).statements).toEqual([own]);
  });

  it('are counted again once the service has done what it began at its start', async () => {
    const filling = { query: 'SELECT * FROM issues WHERE id = $1', calls: 148, rows: 148, totalMs: 9 };
    const database = databaseWith([[own, filling], [filling], [{ ...filling, calls: 80 }], [], [own]]);
    const pass = await passOf({ syscalls: null }, { database });
    expect(pass).toMatchObject({ requests: 200, statements: [own] });
    expect(pass).not.toHaveProperty('background');
    expect(database.read()).toBe(5);
  });

  it('are not waited for where that does not end, once for each side', async () => {
    const work = { query: 'DELETE FROM old', calls: 450, rows: 0, totalMs: 9 };
    const endless = Array.from({ length: 40 }, () => [work]);
    const database = databaseWith([[own, work], ...endless, [own, work], [{ ...work, calls: 440 }]]);
    const passes = await passesOf({ syscalls: null }, ['ping', 'users'], { database });
    expect(passes.map(({ statements }) => statements)).toEqual([[own], [own]]);
    expect(database.read()).toBe(43);
  });

  it('are not watched for where each request sent the same', async () => {
    const database = databaseWith([[own]]);
    expect(await passOf({ syscalls: null }, { database })).toMatchObject({ statements: [own] });
    expect(database.read()).toBe(1);
  });
});

describe('a database that has not counted', () => {
  it('leaves no count, and says why', async () => {
    const asked: string[] = [];
    const database = {
      ...databaseWith([]),
      resetStatements: async () => void asked.push('reset'),
      markStatements: async () => void asked.push('mark'),
      statements: () => {
        asked.push('read');
        return Promise.reject(new UncountedStatements('Of 2 known statements Postgres has counted 0.'));
      },
    };
    const pass = await passOf({ syscalls: null }, { database });
    expect(pass).toMatchObject({ statements: null, uncounted: 'Of 2 known statements Postgres has counted 0.' });
    expect(asked).toEqual(['reset', 'mark', 'mark', 'read']);
  });
});

/** A database whose statements are those of each pass in turn, and then of the window without requests. */
function databaseWith(read: readonly object[][]) {
  let index = 0;
  return {
    version: '18',
    statements: async () => {
      index += 1;
      return read[index - 1];
    },
    resetStatements: async () => {},
    markStatements: async () => {},
    read: () => index,
  };
}
