import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/app/measuring/measuring.ts';
import { TestbedError } from '../../../src/app/ports/testbed.ts';
import { searchesOf } from '../../../src/core/capacity/search-case.ts';
import { type Case, casesOf } from '../../../src/core/config/case.ts';
import type { CapacitySearch } from '../../../src/core/config/resolved.ts';
import type { Reason } from '../../../src/core/measurement/names.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { runRecordOf } from '../../../src/core/record/assembly.ts';
import type { JournalEntry, JournalHeader } from '../../../src/core/record/journal.ts';
import { journalHeader } from '../../support/journal-header.ts';
import { smallSpec } from '../support/comparing.ts';
import { type FakeMeasuring, fakeMeasuring } from '../support/fake-measuring.ts';

const search: CapacitySearch = {
  ...{ find: 'rate', endpoint: 'ping', generator: 'h2load', from: 1000, to: 8000, connections: 50 },
  ...{ durationSeconds: 2, limits: { p99Ms: 50, errorShare: 0.001 }, precision: 1 },
};

interface Searching {
  services?: string[];
  machine?: FakeMeasuring;
  resumed?: JournalEntry[];
  machineLimit?(testCase: Case): Reason | null;
  signal?: AbortSignal;
  /** What an answer has to be. */
  body?: string;
}

async function searched(given: Searching = {}) {
  const { services = ['go'], machine = {}, resumed, body, signal = new AbortController().signal } = given;
  const spec = { ...smallSpec([body === undefined ? {} : { expect: expecting(body) }], services), search };
  const header = journalHeader({ spec }) as JournalEntry & JournalHeader;
  const { adapters, journal, log } = fakeMeasuring(machine, [...(resumed ?? [])]);
  await measure(
    {
      ...{ header, spec, specDirectory: '/nowhere', plan: planOf(spec, { seed: 1 }), comparing: null },
      ...{ resumed: resumed ?? null, searches: searchesOf(spec, null) },
      ...(given.machineLimit === undefined ? {} : { machineLimit: given.machineLimit }),
    },
    adapters,
    signal,
  );
  const record = runRecordOf(journal, casesOf(spec), '2026-11-20T10:00:00.000Z');
  return { record, journal, log, found: record.searches ?? [] };
}

const expecting = (body: string) => ({ status: 200, contentType: null, body, sizeBytes: null, matches: null });
const limit = { code: 'machine-limit', message: 'open files' };
const above = (most: number) => (testCase: Case) =>
  'arrival' in testCase.load && testCase.load.arrival.kind === 'rate' && testCase.load.arrival.requestsPerSecond > most
    ? limit
    : null;

describe('a search', () => {
  it('measures each try on a fresh testbed, and ends with what held', async () => {
    const { found, record, log } = await searched();
    expect(record.cases).toHaveLength(1);
    expect(found).toMatchObject([
      { service: 'go', endpoint: 'ping', find: 'rate', held: 8000, failed: null, isComplete: true, lost: null },
    ]);
    expect(log.filter((line) => line.startsWith('h2load') || line.startsWith('start'))).toEqual([
      'start candidate 1',
      'start candidate 1000',
      'h2load candidate ping for 2 s at 2000/s',
      'start candidate 1001',
      'h2load candidate ping for 2 s at 4000/s',
      'start candidate 1002',
      'h2load candidate ping for 2 s at 8000/s',
      'start candidate 1003',
      'h2load candidate ping for 2 s at 8000/s',
    ]);
  });

  it('tries what the machine cannot load without loading it', async () => {
    const { found, log } = await searched({ machineLimit: above(3000) });
    expect(found).toMatchObject([{ held: 2000, failed: 4000, why: 'machine-limit', message: 'open files' }]);
    expect(log.filter((line) => line.startsWith('h2load'))).toEqual([
      'h2load candidate ping for 2 s at 2000/s',
      'h2load candidate ping for 2 s at 2000/s',
    ]);
  });

  it('takes its services in turn', async () => {
    const { found } = await searched({ services: ['go', 'rust'] });
    const order = found
      .flatMap(({ service, probes }) => probes.map(({ startedNs }) => ({ service, startedNs })))
      .sort((one, other) => one.startedNs - other.startedNs)
      .map(({ service }) => service);
    expect([0, 2, 4].map((at) => order.slice(at, at + 2).toSorted())).toEqual(Array(3).fill(['go', 'rust']));
  });

  it('goes on with its tries where it was interrupted', async () => {
    const aborting = new AbortController();
    const onAppend = ({ kind }: JournalEntry) => {
      if (kind === 'probe') aborting.abort(new Error('interrupted'));
    };
    const first = await searched({ machine: { onAppend }, signal: aborting.signal });
    expect(first.found).toMatchObject([{ held: null, failed: null, isComplete: false, probes: [{ level: 2000 }] }]);
    const { found, log } = await searched({ resumed: first.journal });
    expect(found).toMatchObject([{ held: 8000, isComplete: true }]);
    expect(found[0]!.probes.map(({ level }) => level)).toEqual([2000, 4000, 8000, 8000]);
    expect(log.filter((line) => line.startsWith('wrk candidate ping for 10 s'))).toEqual([]);
  });

  it('ends, with the reason, where its service no longer starts', async () => {
    const start = ({ round }: { round: number }) => (round === 1001 ? new TestbedError('exited', 'It is gone.') : null);
    const { found } = await searched({ machine: { start } });
    expect(found).toMatchObject([
      { held: null, isComplete: false, lost: { code: 'exited' }, probes: [{ level: 2000 }] },
    ]);
  });

  it('ends where an answer is not as expected', async () => {
    let round = 0;
    const start = (request: { round: number }) => {
      round = request.round;
      return null;
    };
    const { found } = await searched({ machine: { start, body: () => (round > 1000 ? 'gone' : 'OK') }, body: 'OK' });
    expect(found).toMatchObject([{ isComplete: false, lost: { code: 'unexpected-body' }, probes: [{ held: true }] }]);
  });
});
