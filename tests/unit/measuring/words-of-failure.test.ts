import { describe, expect, it } from 'vitest';
import { wordsOfFailure } from '../../../src/app/measuring/words-of-failure.ts';
import type { GeneratorRun } from '../../../src/app/ports/generators.ts';
import type { Testbed } from '../../../src/app/ports/testbed.ts';

const words = (
  lines: { service: string[]; database: string[] | null },
  errors: Record<string, number> = { status: 9 },
) =>
  wordsOfFailure(
    {
      database: lines.database === null ? null : {},
      logLines: async (part: 'service' | 'database') => lines[part] ?? [],
    } as unknown as Testbed,
    { outcome: { errors } } as unknown as GeneratorRun,
  );

const CLIENTS = '2026-11-28 21:40:02.114 UTC [77] FATAL:  sorry, too many clients already';

describe('what is printed of failures that are only counted', () => {
  it('is the last line of each that tells of one', async () => {
    const service = ['listening on port 3000', 'error: sorry, too many clients already', 'GET / 200'];
    const database = [CLIENTS, '2026-11-28 21:40:03.001 UTC [61] LOG:  checkpoint starting: time'];
    expect(await words({ service, database })).toEqual({
      service: 'error: sorry, too many clients already',
      database: CLIENTS,
    });
  });

  it('is the last line of a service where none tells of a failure, and nothing of a quiet database', async () => {
    expect(await words({ service: ['started', 'GET / 500'], database: ['LOG:  ready'] })).toEqual({
      service: 'GET / 500',
    });
  });

  it('is cut where a line is long', async () => {
    const { service } = (await words({ service: [`Error: ${'x'.repeat(5000)}`], database: null }))!;
    expect(service!.length).toBeLessThanOrEqual(300);
  });

  it('is nothing where nobody prints, or nothing failed', async () => {
    expect(await words({ service: [], database: null })).toBeNull();
    expect(await words({ service: ['error: once'], database: [CLIENTS] }, { status: 0 })).toBeNull();
  });
});
