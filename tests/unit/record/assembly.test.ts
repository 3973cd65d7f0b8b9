import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Variant } from '../../../src/core/measurement/names.ts';
import { runRecordOf } from '../../../src/core/record/assembly.ts';
import {
  type JournalEntry,
  type JournalHeader,
  journalLine,
  readJournal,
  UnreadableJournal,
} from '../../../src/core/record/journal.ts';
import { journalHeader } from '../../support/journal-header.ts';
import { healthyPass, healthyTrial, testCase } from '../support/trials.ts';

const header: JournalEntry = journalHeader({ id: '20261120-0a1b2c', seed: 71 });
const trial = (changes = {}): JournalEntry => ({ kind: 'trial', ...healthyTrial(changes) });
const pass: JournalEntry = { kind: 'pass', ...healthyPass() };
const service: JournalEntry = { kind: 'service', service: 'go', variant: 'candidate', artifact: './go', failure: null };
const end: JournalEntry = { kind: 'end', at: '2026-11-20T09:01:00.000Z', wallSeconds: 60, interrupted: null };
const now = '2026-11-20T10:00:00.000Z';

describe('the record of a journal', () => {
  it('holds each measured case with its metrics and their samples', () => {
    const entries = [header, service, pass, { kind: 'load', seconds: 12 } as const, trial(), end];
    const record = runRecordOf(entries, [testCase()], now);
    expect(record).toMatchObject({
      schemaVersion: 1,
      id: '20261120-0a1b2c',
      seed: 71,
      finishedAt: '2026-11-20T09:01:00.000Z',
      timing: { wallSeconds: 60, loadSeconds: 12 },
      services: [{ service: 'go', variant: 'candidate', artifact: './go', failure: null }],
      interrupted: null,
    });
    expect(record).not.toHaveProperty('kind');
    expect(record).not.toHaveProperty('selection');
    expect(record.cases).toHaveLength(1);
    const [only] = record.cases;
    expect(only).toMatchObject({
      key: 'go/ping/direct/wrk/keep-alive/100',
      keepAlive: true,
      connections: 100,
      rate: null,
      status: 'valid',
      reasons: [],
      warnings: [],
      raw: ['raw/ping.txt'],
    });
    expect(only!.metrics.throughput).toEqual({
      value: 5000,
      unit: 'req/s',
      samples: [
        {
          ...{ round: 1, trial: 1, pair: null, mode: 'solo', startedNs: 1e9, durationNs: 10_020_000_000 },
          ...{ value: 5000, requests: 50_000 },
        },
      ],
    });
    expect(only!.metrics['queries-per-request']).toEqual({
      value: 2,
      unit: '1/request',
      samples: [
        {
          ...{ round: 1, trial: 0, pair: null, mode: 'solo', startedNs: 5e8, durationNs: 1e8 },
          ...{ value: 2, requests: 200 },
        },
      ],
    });
    expect(only!.utilisation!.service).toBeCloseTo(7 / 10.02, 9);
  });

  it('has what was seen of a service with the most connections, and of several the last', () => {
    const seen = (connections: number, backlog: number, variant: Variant = 'candidate'): JournalEntry => {
      const of = { service: 'go', variant, caseKey: `go/ping/direct/wrk/keep-alive/${connections}`, connections };
      return { kind: 'observed', ...of, backlog, unseen: [] };
    };
    const entries = [header, service, seen(100, 1), seen(100, 2), seen(10, 3), seen(900, 4, 'baseline')];
    const { services } = runRecordOf(entries, [], now);
    const { kind: _, ...own } = service as Extract<JournalEntry, { kind: 'service' }>;
    const observed = { caseKey: 'go/ping/direct/wrk/keep-alive/100', connections: 100, backlog: 2, unseen: [] };
    expect(services).toEqual([{ ...own, observed }]);
  });

  it('has how many requests an endpoint was asked that differ, by the last start of its service', () => {
    const set = (endpoint: string, requests: number, variant: Variant = 'candidate'): JournalEntry => {
      return { kind: 'request-set', service: 'go', variant, endpoint, requests, digest: `sha256:${requests}` };
    };
    const entries = [header, service, set('a', 10), set('b', 3), set('a', 20), set('b', 4, 'baseline')];
    const { services } = runRecordOf(entries, [], now);
    expect(services[0]!.requestSets).toEqual([
      { endpoint: 'a', requests: 20, digest: 'sha256:20' },
      { endpoint: 'b', requests: 3, digest: 'sha256:3' },
    ]);
    expect(runRecordOf([header, service], [], now).services[0]).not.toHaveProperty('requestSets');
  });

  it('has the busiest thread of the trials that show threads, and none where none does', () => {
    const withThread = (number: number, busiestThreadNs?: number) => {
      const { cpu } = healthyTrial();
      return trial({ trial: number, cpu: { ...cpu, ...(busiestThreadNs === undefined ? {} : { busiestThreadNs }) } });
    };
    const of = (...trials: JournalEntry[]) => runRecordOf([header, ...trials], [testCase()], now).cases[0]!.utilisation;
    expect(of(withThread(1, 5.01e9), withThread(2), withThread(3, 10.02e9))!.busiestThread).toBeCloseTo(0.75, 9);
    expect(of(withThread(1))).not.toHaveProperty('busiestThread');
  });

  it('takes the median of the trials, and of the alone ones where there are duets too', () => {
    const withThroughput = (number: number, requests: number, mode: 'solo' | 'duet' = 'solo') =>
      trial({ trial: number, mode, outcome: { ...healthyTrial().outcome!, requests, bytes: requests * 150 } });
    const three = [1, 2, 3].map((number) => withThroughput(number, number * 10_000));
    const [one] = runRecordOf([header, ...three], [testCase()], now).cases;
    expect(one!.metrics.throughput!.value).toBe(2000);
    const [two] = runRecordOf([header, ...three, withThroughput(4, 900, 'duet')], [testCase()], now).cases;
    expect(two!.metrics.throughput!.value).toBe(2000);
    expect(two!.metrics.throughput!.samples).toHaveLength(4);
    const [duetOnly] = runRecordOf([header, withThroughput(1, 900, 'duet')], [testCase()], now).cases;
    expect(duetOnly!.metrics.throughput!.value).toBe(90);
  });

  it('publishes the trials alone of the round for that, undiluted by those that were compared in turn', () => {
    const inTurn = (round: number) =>
      trial({
        round,
        trial: round + 1,
        pair: round + 1,
        cpu: { ...healthyTrial().cpu, serviceNs: 3_000_000_000 },
        outcome: { ...healthyTrial().outcome!, requests: 25_000, bytes: 3_750_000 },
      });
    const [only] = runRecordOf(
      [header, trial({ round: 0, pair: 1 }), inTurn(1), inTurn(2), inTurn(3)],
      [testCase()],
      now,
    ).cases;
    expect(only!.metrics.throughput!.value).toBe(5000);
    expect(only!.metrics.throughput!.samples).toHaveLength(4);
    expect(only!.utilisation!.service).toBeCloseTo(7 / 10.02, 9);
  });

  it('has a case once that is planned and missing, as one of a subject that became a reference is', () => {
    const reason = { code: 'missing', message: "the baseline's spec has this case, the candidate's has not" };
    const lost: JournalEntry = { kind: 'lost', caseKey: testCase().key, variant: 'baseline', reason };
    const { cases } = runRecordOf([header, trial(), lost, end], [testCase(), testCase()], now);
    expect(cases.map(({ variant, status }) => [variant, status])).toEqual([
      ['candidate', 'valid'],
      ['baseline', 'invalid'],
    ]);
  });

  it('keeps the numbers of an invalid case, with each reason once', () => {
    const broken = { outcome: { ...healthyTrial().outcome!, errors: { read: 900 } } };
    const [only] = runRecordOf([header, pass, trial(broken), trial({ ...broken, trial: 2 })], [testCase()], now).cases;
    expect(only!.status).toBe('invalid');
    expect(only!.reasons.map(({ code }) => code)).toEqual(['errors']);
    expect(only!.metrics.throughput!.value).toBe(5000);
  });

  it('holds a round that was verified briefly against what was counted last before it', () => {
    const [of1, of3] = [1, 3].map((round): JournalEntry => ({ kind: 'pass', ...healthyPass({ round }) }));
    const another: JournalEntry = { ...of3!, kind: 'pass', bytes: 20_000_000 } as JournalEntry;
    const reasonsOf = (round: number) =>
      runRecordOf([header, of1!, another, trial({ round })], [testCase()], now).cases[0]!.reasons.map(
        ({ code }) => code,
      );
    expect(reasonsOf(1)).toEqual([]);
    expect(reasonsOf(2)).toEqual([]);
    // From the third on another answer was counted.
    expect(reasonsOf(3)).toEqual(['unexpected-body']);
    expect(reasonsOf(9)).toEqual(['unexpected-body']);
  });

  it('has a case that was lost, without numbers, and not one that the run did not come to', () => {
    const reason = { code: 'not-ready', message: 'go answered 503 for 30 s' };
    const lost: JournalEntry = { kind: 'lost', caseKey: testCase().key, reason };
    const other = testCase({ key: 'go/ping/direct/wrk/keep-alive-off/100' });
    const record = runRecordOf([header, lost], [testCase(), other], now);
    expect(record.cases).toHaveLength(1);
    expect(record.cases[0]).toMatchObject({ status: 'invalid', reasons: [reason], metrics: {}, utilisation: null });
  });

  it('tells what the rounds took of the budget, those that were broken off among them', () => {
    const rounds: JournalEntry[] = [
      { kind: 'round', service: 'go', round: 1, comparingSeconds: 41 },
      { kind: 'broken-off', service: 'go', round: 2, comparingSeconds: 8 },
      { kind: 'round', service: 'node', round: 1, comparingSeconds: 30 },
    ];
    const timingWith = (entries: JournalEntry[]) => runRecordOf([header, ...entries, end], [testCase()], now).timing;
    expect(timingWith(rounds)).toEqual({ wallSeconds: 60, loadSeconds: 0, comparingSeconds: 79 });
    expect(timingWith([])).toEqual({ wallSeconds: 60, loadSeconds: 0 });
  });

  it('tells what preparing took of it, in all goes of a run together', () => {
    const ended = { ...end, preparingSeconds: 20 } as JournalEntry;
    const { timing } = runRecordOf([header, ended, end, ended], [testCase()], now);
    expect(timing).toEqual({ wallSeconds: 180, loadSeconds: 0, preparingSeconds: 40 });
  });

  it('forgets a loss that a resumed run made good', () => {
    const lost: JournalEntry = { kind: 'lost', caseKey: testCase().key, reason: { code: 'exited', message: 'gone' } };
    const failed: JournalEntry = { ...service, failure: { code: 'exited', message: 'gone' } } as JournalEntry;
    const record = runRecordOf([header, failed, lost, end, service, trial(), end], [testCase()], now);
    expect(record.cases[0]!.status).toBe('valid');
    expect(record.services).toEqual([{ service: 'go', variant: 'candidate', artifact: './go', failure: null }]);
    expect(record.timing.wallSeconds).toBe(120);
  });

  it('does not trust a case that was lost after it had been measured', () => {
    const reason = { code: 'unexpected-body', message: 'go answers otherwise in its second round' };
    const lost: JournalEntry = { kind: 'lost', caseKey: testCase().key, reason };
    const [only] = runRecordOf([header, service, trial(), lost, end], [testCase()], now).cases;
    expect(only).toMatchObject({ status: 'invalid', reasons: [reason] });
    expect(only!.metrics.throughput!.value).toBe(5000);
  });

  it('names the database that was really there', () => {
    const database: JournalEntry = { kind: 'database', version: '18.4' };
    expect(runRecordOf([header, database], [], now).environment.versions.postgres).toBe('18.4');
  });

  it('tells that both sides were the same, unless they were measured all the same later', () => {
    const side = { recordId: null, sha: null, text: 'x' };
    const { gate } = (header as JournalHeader).spec;
    const comparing = {
      mode: 'duet',
      baseline: side,
      candidate: side,
      gate,
      skipped: null,
      warnings: [],
      accepted: [],
    };
    const begun = { ...header, comparing } as JournalEntry;
    const skipped: JournalEntry = { kind: 'skipped', reason: { code: 'same-on-both-sides', message: 'Same.' } };
    const skippedIn = (...entries: JournalEntry[]) =>
      runRecordOf([begun, skipped, end, ...entries], [testCase()], now).comparing!.skipped;
    expect(skippedIn()).toEqual({ code: 'same-on-both-sides', message: 'Same.' });
    expect(skippedIn(service, trial(), end)).toBeNull();
    const lost = { kind: 'lost', caseKey: testCase().key, reason: { code: 'not-ready', message: 'x' } } as const;
    expect(skippedIn(lost, end)).toBeNull();
  });

  it('says so where the run has no end', () => {
    expect(runRecordOf([header], [], now)).toMatchObject({ finishedAt: now, interrupted: { code: 'interrupted' } });
  });
});

describe('a journal', () => {
  it('reads as it was written', () => {
    const entries = [header, service, pass, trial(), end];
    expect(readJournal(entries.map(journalLine).join(''), 'journal.jsonl')).toEqual(entries);
  });

  it('loses a last line that was cut off, and only that', () => {
    const whole = [header, service].map(journalLine).join('');
    expect(readJournal(`${whole}{"kind":"sli`, 'journal.jsonl')).toEqual([header, service]);
  });

  it('names the line that is none of its own', () => {
    expect(() => readJournal(`${journalLine(header)}oops\n`, 'out/journal.jsonl')).toThrow(
      'out/journal.jsonl:2 is not a journal entry. Remove that line to resume with the rest, or start a new run in another folder.',
    );
    expect(() => readJournal(journalLine(service), 'out/journal.jsonl')).toThrow(
      "out/journal.jsonl does not begin with a run's header, so there is nothing to resume. Start a new run in another folder.",
    );
  });

  it('throws nothing but UnreadableJournal', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          readJournal(text, 'journal.jsonl');
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableJournal);
        }
      }),
      { seed: 20261120 },
    );
  });
});
