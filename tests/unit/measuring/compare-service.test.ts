import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/app/ports/run-store.ts';
import { TestbedError } from '../../../src/app/ports/testbed.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import { comparingRun, smallSpec } from '../support/comparing.ts';

const CASE = 'go/ping/direct/wrk/keep-alive/100';
const roundsIn = (journal: readonly JournalEntry[]) =>
  journal.flatMap((entry) => (entry.kind === 'round' ? [entry.round] : []));
const secondsIn = (journal: readonly JournalEntry[], kind: 'round' | 'broken-off') =>
  journal.flatMap((entry) => (entry.kind === kind ? [entry.comparingSeconds] : []));

const k6Spec = (arrival: { kind: 'share'; shareOfCapacity: number } | { kind: 'rate'; requestsPerSecond: number }) => {
  const spec = smallSpec();
  const k6 = { arrival, connections: [50], keepAlive: [true], durationSeconds: 2, timeoutSeconds: 10, script: null };
  return { ...spec, load: { ...spec.load, wrk: null, k6 } };
};

describe('memory at rest', () => {
  it('is read of both sides before the first request to either', async () => {
    const { log } = await comparingRun({ budgetSeconds: 1 });
    const asked = log.findIndex((line) => line.startsWith('ask'));
    expect(log.slice(0, asked).filter((line) => line.startsWith('memory'))).toEqual([
      'memory baseline',
      'memory candidate',
    ]);
    const second = log.findLastIndex((line) => line.startsWith('start'));
    const again = log.slice(second);
    expect(
      again
        .slice(
          0,
          again.findIndex((line) => line.startsWith('ask')),
        )
        .filter((line) => line.startsWith('memory')),
    ).toEqual(['memory baseline', 'memory candidate']);
  });
});

describe('the answers of both sides', () => {
  it('are asked for at the same time, and counted in as many requests', async () => {
    const candidate = smallSpec([{}, { name: 'users', path: '/users' }]);
    const { log, journal } = await comparingRun({ candidate, budgetSeconds: 1 });
    expect(log.filter((line) => line.startsWith('ask')).slice(0, 4)).toEqual([
      'ask baseline users',
      'ask candidate users',
      'ask baseline ping',
      'ask candidate ping',
    ]);
    const passes = journal.filter((entry) => entry.kind === 'pass' && entry.round === 0);
    expect(passes.map((pass) => 'requests' in pass && [pass.variant, pass.endpoint, pass.requests])).toEqual([
      ['baseline', 'users', 200],
      ['candidate', 'users', 200],
      ['baseline', 'ping', 200],
      ['candidate', 'ping', 200],
    ]);
  });
});

describe('a side that started once and never again', () => {
  const failing = (variant: string) => ({
    start: (request: { variant: string; round: number }) =>
      request.variant === variant && request.round > 0 ? new TestbedError('not-ready', 'It answers 503.') : null,
    startSeconds: 10,
  });

  it('loses its cases with the reason, so that the gate is not green; what was measured is kept', async () => {
    const { record, comparison, journal } = await comparingRun({ machine: failing('candidate') });
    const why =
      'Rounds fell over, or could not be started, 4 times, and no more are started. The last time: go: It answers 503.';
    expect(journal.filter(({ kind }) => kind === 'lost')).toEqual([
      { kind: 'lost', caseKey: CASE, variant: 'candidate', reason: { code: 'not-ready', message: why } },
    ]);
    expect(record.cases.map(({ metrics }) => metrics.throughput?.value)).toEqual([1000, 1000]);
    expect(comparison.gate).toMatchObject({
      passed: false,
      invalid: [{ caseKey: CASE, message: `candidate: ${why}` }],
    });
  });

  it('loses them also where the budget is spent before it is known', async () => {
    const start = (request: { variant: string; round: number }) =>
      request.variant === 'candidate' && request.round > 1 ? new TestbedError('not-ready', 'It answers 503.') : null;
    const { comparison, journal } = await comparingRun({
      limit: 0,
      budgetSeconds: 65,
      machine: { start, startSeconds: 10 },
    });
    expect(roundsIn(journal)).toEqual([1]);
    expect(secondsIn(journal, 'broken-off')).toHaveLength(4);
    expect(comparison.gate.invalid.map(({ caseKey }) => caseKey)).toEqual([CASE]);
  });

  it('is not measured by itself a second time where it is the baseline that is gone', async () => {
    const { log, comparison } = await comparingRun({ machine: failing('baseline') });
    expect(log.filter((line) => line === 'wrk candidate ping for 10 s')).toHaveLength(1);
    expect(comparison.gate.invalid).toHaveLength(1);
  });

  it('has its starts counted in the budget', async () => {
    const { journal } = await comparingRun({ machine: failing('candidate') });
    expect(secondsIn(journal, 'broken-off')).toEqual([20, 20, 20, 20]);
  });
});

describe('a side that never starts', () => {
  it.each([
    ['baseline', 'go: The network went away.'],
    ['baseline', 'go was asked for http://127.0.0.1:80/ping for 2 s and answers with status 503.'],
    ['candidate', 'go: The network went away.'],
  ])('%s: its reason names the side once, and is one message: %s', async (side, why) => {
    const start = (request: { variant: string }) =>
      request.variant === side ? new TestbedError('not-ready', why.replace(/^go: /, '')) : null;
    const { record, comparison } = await comparingRun({ machine: { start } });
    const failures = record.services.flatMap(({ variant, failure }) =>
      failure === null ? [] : [[variant, failure.message]],
    );
    expect(failures).toEqual([[side, why]]);
    expect(comparison.gate.invalid).toEqual([{ caseKey: CASE, metric: null, message: `${side}: ${why}` }]);
  });
});

describe('a folder that cannot be written any more while both sides come up', () => {
  it('leaves neither of them behind', async () => {
    const onAppend = (entry: JournalEntry) => {
      if (entry.kind === 'service' && entry.variant === 'candidate') throw new StoreError('The disk is full.');
    };
    const { log, record } = await comparingRun({ machine: { onAppend } });
    expect(record.interrupted).toEqual({ code: 'disk', message: 'The disk is full.' });
    expect(log.filter((line) => /^(start|stop)/.test(line)).sort()).toEqual([
      'start baseline 0',
      'start candidate 0',
      'stop baseline 0',
      'stop candidate 0',
    ]);
  });
});

describe('connections that are counted for the whole machine', () => {
  it('are told of trials alone, and not of the sides of a duet, which would each have those of both', async () => {
    const { journal } = await comparingRun({ budgetSeconds: 1 });
    const counted = journal.flatMap((entry) =>
      entry.kind === 'trial' ? [`${entry.mode} ${entry.acceptedConnections}`] : [],
    );
    expect([...new Set(counted)]).toEqual(['solo 100', 'duet null']);
  });
});

describe('the rate of a fixed-rate case', () => {
  const rates = (log: readonly string[]) => [
    ...new Set(log.flatMap((line) => (line.startsWith('k6') ? (/at (\d+)\/s/.exec(line)?.[1] ?? []) : []))),
  ];

  it('is divided between the sides of a duet, and whole for each of two that take turns', async () => {
    const candidate = k6Spec({ kind: 'share', shareOfCapacity: 0.6 });
    expect(rates((await comparingRun({ candidate, budgetSeconds: 20 })).log)).toEqual(['600', '300']);
    const inTurn = await comparingRun({ candidate, budgetSeconds: 20, mode: 'interleaved' });
    expect(rates(inTurn.log)).toEqual(['600']);
  });

  it('is the same after a run was interrupted before its first duet', async () => {
    const candidate = k6Spec({ kind: 'rate', requestsPerSecond: 200 });
    const whole = await comparingRun({ candidate, budgetSeconds: 20 });
    expect(rates(whole.log)).toEqual(['200']);
    const published = whole.journal.slice(
      0,
      whole.journal.findIndex((entry) => entry.kind === 'pass' && entry.round === 1),
    );
    const resumed = await comparingRun({ candidate, budgetSeconds: 20, resumed: published });
    expect(rates(resumed.log)).toEqual(['200']);
    expect(roundsIn(resumed.journal)).toEqual(roundsIn(whole.journal));
  });
});

describe('a run that goes on', () => {
  // Two equal sides never show that there is no loss at all.
  const limit = 0;

  it('publishes figures of both sides though it was killed between those of the one and of the other', async () => {
    const { journal } = await comparingRun();
    const firstTrial = journal.findIndex(({ kind }) => kind === 'trial');
    const { record } = await comparingRun({ resumed: journal.slice(0, firstTrial + 1) });
    const published = record.cases.map(({ variant, metrics }) => [
      variant,
      metrics.throughput!.samples.some(({ mode, round }) => mode === 'solo' && round === 0),
    ]);
    expect(published.sort()).toEqual([
      ['baseline', true],
      ['candidate', true],
    ]);
  });

  it('gives no further round to a service whose budget is spent', async () => {
    const first = await comparingRun({ limit, budgetSeconds: 60 });
    expect(first.comparison.gate.inconclusive).not.toEqual([]);
    const again = await comparingRun({ limit, budgetSeconds: 60, resumed: first.journal });
    expect(again.log).toEqual([]);
    expect(roundsIn(again.journal)).toEqual(roundsIn(first.journal));
  });

  it('counts the seconds of the round that was interrupted', async () => {
    const abort = new AbortController();
    const onAppend = (entry: JournalEntry) => {
      if (entry.kind === 'trial' && entry.round === 2) abort.abort(new Error('stopped by SIGINT'));
    };
    const { journal, record } = await comparingRun({ limit, machine: { onAppend }, signal: abort.signal });
    expect(record.interrupted?.message).toBe('stopped by SIGINT');
    expect(roundsIn(journal)).toEqual([1]);
    expect(secondsIn(journal, 'broken-off')[0]).toBeGreaterThan(2);
  });
});

describe('a side that cannot be prepared any more when a run goes on', () => {
  const machine = { prepare: () => new TestbedError('build-failed', 'It does not build.') };
  const withoutEnd = (journal: readonly JournalEntry[]) => journal.filter(({ kind }) => kind !== 'end');
  const lostIn = (journal: readonly JournalEntry[]) =>
    journal.flatMap((entry) => (entry.kind === 'lost' ? [`${entry.variant} ${entry.caseKey}`] : []));

  it('loses nothing of a service that is decided', async () => {
    const first = await comparingRun();
    const again = await comparingRun({ machine, resumed: withoutEnd(first.journal) });
    expect(lostIn(again.journal)).toEqual([]);
    expect(again.comparison.gate).toMatchObject({ passed: true, invalid: [] });
    expect(again.comparison.cases).toEqual(first.comparison.cases);
  });

  it('loses nothing of a service whose budget is spent', async () => {
    const first = await comparingRun({ limit: 0, budgetSeconds: 60 });
    const again = await comparingRun({ limit: 0, budgetSeconds: 60, machine, resumed: withoutEnd(first.journal) });
    expect(lostIn(again.journal)).toEqual([]);
    expect(again.comparison.gate.inconclusive).toEqual(first.comparison.gate.inconclusive);
  });

  it('loses what is left of it', async () => {
    const candidate = smallSpec([{}, { name: 'users', path: '/users' }]);
    const isGone = {
      body: (variant: string, { name }: { name: string }) => (variant + name === 'candidateusers' ? '' : 'OK'),
    };
    const expecting = { status: 200, contentType: null, body: 'OK', sizeBytes: null, matches: null };
    candidate.endpoints = candidate.endpoints.map((endpoint) => ({ ...endpoint, expect: expecting }));
    const { journal } = await comparingRun({ candidate, limit: 0, budgetSeconds: 30, machine: isGone });
    const users = CASE.replace('ping', 'users');
    expect(lostIn(journal)).toEqual([`candidate ${users}`]);
    const resumed = withoutEnd(journal);
    const again = await comparingRun({ candidate, limit: 0, budgetSeconds: 300, machine, resumed });
    expect(lostIn(again.journal)).toEqual([`candidate ${users}`, `candidate ${CASE}`]);
    expect(
      again.record.cases
        .filter(({ key }) => key === CASE)
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['invalid', 'valid']);
  });
});
