import { describe, expect, it } from 'vitest';
import { observedCase, observedWarmUp } from '../../../src/app/measuring/observation.ts';
import type { GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import type { Testbed } from '../../../src/app/ports/testbed.ts';
import type { WarmUp } from '../../../src/core/config/resolved.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import { fakeMeasuring } from '../support/fake-measuring.ts';
import { testCase } from '../support/trials.ts';

const never = () => new AbortController().signal;
const windows: WarmUp = { kind: 'fixed', seconds: 1 };

/** The journal, and when the service was looked at, after one warm-up. */
async function seenIn(load: WarmUp, answer: object, database: Testbed['database'] = null) {
  const journal: JournalEntry[] = [];
  const { adapters } = fakeMeasuring({}, journal);
  const looks: number[] = [];
  const lookSeconds: number[] = [];
  const { service } = testCase();
  const testbed = {
    ...{ service, variant: 'candidate', database, origins: { direct: 'http://direct', gateway: 'http://gateway' } },
    observed: async (seconds: number) => {
      looks.push(elapsed);
      lookSeconds.push(seconds);
      return { backlog: 511, unseen: ['No ss.'] };
    },
  } as unknown as Testbed;
  let elapsed = 0;
  const asked: string[] = [];
  const fakes = {
    ...adapters,
    probe: {
      ...adapters.probe,
      ask: async (origin: string) => {
        asked.push(origin);
        return answer as never;
      },
    },
    generators: {
      ...adapters.generators,
      async run({ onTick }: GeneratorRunRequest) {
        for (const tenths of [1, 2, 3, 4, 5, 6]) {
          elapsed = tenths * 1e8;
          onTick?.({ elapsedNs: elapsed });
        }
        return { outcome: { throughput: 1000 } } as never;
      },
    },
  };
  await observedWarmUp(
    testCase({ route: 'gateway' }),
    load,
    { origin: 'http://gateway', cpus: null, testbed },
    fakes,
    never(),
  );
  return { journal, looks, lookSeconds, asked };
}

const body = new TextEncoder().encode('OK');

describe('a service in the warm-up', () => {
  it('is looked at once under load, and asked for one answer itself', async () => {
    const headers = { 'content-length': '2', connection: 'Close', 'content-encoding': 'gzip', age: '1' };
    const answer = { kind: 'answered', status: 200, headers, body, wireBytes: 102 };
    const { journal, looks, lookSeconds, asked } = await seenIn(windows, answer);
    expect(looks).toEqual([4e8]);
    expect(lookSeconds).toEqual([0.3]);
    expect(asked).toEqual(['http://direct']);
    expect(journal).toEqual([
      {
        ...{ kind: 'observed', service: 'go', variant: 'candidate' },
        ...{ caseKey: 'go/ping/direct/wrk/keep-alive/100', connections: 100, backlog: 511, unseen: ['No ss.'] },
        ...{ headerBytes: 100, headers: ['age', 'connection', 'content-encoding', 'content-length'] },
        ...{ keepsConnection: false, encoding: 'gzip' },
      },
    ]);
  });

  it('has its connections to the database counted, which is no failure where that fails', async () => {
    const failed = { kind: 'failed', message: 'nothing came' };
    const session = (connections: () => Promise<number>) => ({ connections }) as unknown as Testbed['database'];
    const counted = await seenIn(
      windows,
      failed,
      session(async () => 15),
    );
    expect(counted.journal).toMatchObject([{ databaseConnections: 15 }]);
    expect(counted.journal[0]).not.toHaveProperty('headers');
    const lost = await seenIn(
      windows,
      failed,
      session(() => Promise.reject(new Error('gone'))),
    );
    expect(lost.journal[0]).not.toHaveProperty('databaseConnections');
  });

  it('is looked at sooner, and not as long, where the warm-up is short', async () => {
    const { looks, lookSeconds } = await seenIn({ kind: 'fixed', seconds: 0.75 }, { kind: 'failed', message: '' });
    expect(looks).toEqual([3e8]);
    expect(lookSeconds).toEqual([0.25]);
  });

  it('is looked at at rest where nothing warms it up, and that is noted', async () => {
    const { journal, looks } = await seenIn({ kind: 'fixed', seconds: 0 }, { kind: 'failed', message: '' });
    expect(looks).toHaveLength(1);
    expect(journal).toMatchObject([
      { unseen: ['No ss.', 'There was no warm-up to look at: all of it was seen at rest.'] },
    ]);
  });

  it('keeps no more of the headers than is worth comparing', async () => {
    const headers = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x-${at}-${'a'.repeat(200)}`, '1']));
    const { journal } = await seenIn(windows, { kind: 'answered', status: 200, headers, body, wireBytes: 9 });
    const [entry] = journal as { headers: string[] }[];
    expect(entry!.headers).toHaveLength(40);
    expect(Math.max(...entry!.headers.map(({ length }) => length))).toBe(64);
  });
});

describe('the case in whose warm-up that is', () => {
  const of = (key: string, connections: number, route: 'direct' | 'gateway' = 'direct') =>
    testCase({ key, connections, route });

  it('is the first with the most connections, direct where there is one', () => {
    expect(observedCase([of('a', 10), of('b', 100), of('c', 100), of('d', 900, 'gateway')])?.key).toBe('b');
    expect(observedCase([of('a', 10, 'gateway'), of('b', 20, 'gateway')])?.key).toBe('b');
    expect(observedCase([])).toBeNull();
  });
});
