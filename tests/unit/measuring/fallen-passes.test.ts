import { describe, expect, it } from 'vitest';
import { verifiedPasses } from '../../../src/app/measuring/verification.ts';
import { TestbedError } from '../../../src/app/ports/testbed.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import { fakeMeasuring } from '../support/fake-measuring.ts';
import { testCase } from '../support/trials.ts';

const NEVER = new AbortController().signal;
const statement = (query: string, calls: number) => ({ query, calls, rows: calls, totalMs: 1 });

/** Endpoints whose passes are in the journal where the database sends `statements` in each, and goes away in that of `users`. */
async function keptWith(statements: object[]): Promise<string[]> {
  const journal: JournalEntry[] = [];
  const { adapters } = fakeMeasuring({}, journal);
  const cases = ['ping', 'users'].map((name) => {
    const { endpoint, ...rest } = testCase();
    return { ...rest, key: `go/${name}`, endpoint: { ...endpoint, name } };
  });
  let reads = 0;
  const database = {
    version: '18',
    resetStatements: async () => {},
    markStatements: async () => {},
    statements: async () => {
      reads += 1;
      // Where not each request sent the same, it is looked whether the service is at work by itself.
      const isWatched = statements.length > 1;
      if (reads > (isWatched ? 2 : 1)) throw new TestbedError('database-exited', 'Postgres has ended.');
      return reads === 2 ? [] : statements;
    },
  };
  const request = { service: cases[0]!.service, variant: 'candidate', round: 1 };
  const testbed = { ...(await adapters.runtime.start(request as never, NEVER)), database } as never;
  const { fallen, lost } = await verifiedPasses(testbed, cases, adapters, NEVER);
  expect(fallen?.message).toContain('Postgres has ended.');
  expect([...lost]).toEqual([cases[1]!.key]);
  return journal.flatMap((entry) => (entry.kind === 'pass' ? entry.endpoint : []));
}

describe('passes of a testbed that falls over', () => {
  it('are kept where each request sent the same', async () => {
    expect(await keptWith([statement('SELECT 1', 200)])).toEqual(['ping']);
  });

  it('are not kept where nobody can tell any more which statements are the background’s', async () => {
    expect(await keptWith([statement('SELECT 1', 200), statement('SELECT now()', 1)])).toEqual([]);
  });
});
