import { describe, expect, it } from 'vitest';
import { TestbedError, type TestbedRequest } from '../../../src/app/ports/testbed.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { comparingRun, smallSpec } from '../support/comparing.ts';

const key = (endpoint: string, service = 'go') => `${service}/${endpoint}/direct/wrk/keep-alive/100`;
const expecting = (body: string) => ({ status: 200, contentType: null, body, sizeBytes: null, matches: null });

/** `variant key` of each record, with its throughput and what is wrong with it. */
const measured = ({ cases }: RunRecord) =>
  Object.fromEntries(
    cases.map(({ variant, key: name, metrics, reasons }) => [
      `${variant} ${name}`,
      [metrics.throughput?.value ?? null, ...reasons.map(({ message }) => message)],
    ]),
  );

describe('a comparing run', () => {
  it('measures what both have side by side, and passes where nothing changed', async () => {
    const { record, comparison } = await comparingRun();
    expect(measured(record)).toEqual({
      [`baseline ${key('ping')}`]: [1000],
      [`candidate ${key('ping')}`]: [1000],
    });
    expect(comparison.gate).toMatchObject({ passed: true, invalid: [], new: [] });
    expect(comparison.cases[0]!.metrics.throughput!.verdict).toBe('no-change');
  });
});

describe('a comparing run of two sides that are the same', () => {
  const same = { code: 'same-on-both-sides', message: 'Not measured.' };

  it('measures nothing, also where it goes on', async () => {
    const { record, log, journal } = await comparingRun({ same });
    expect(record.comparing?.skipped).toEqual(same);
    expect(log).toEqual(['say Not measured.']);
    expect((await comparingRun({ same, resumed: journal })).log).toEqual(['say Not measured.']);
  });

  it('that were to be measured all the same goes on with that', async () => {
    const { journal } = await comparingRun();
    const second = journal.findIndex((entry) => entry.kind === 'round' && entry.round === 2);
    const { record, comparison } = await comparingRun({ same, resumed: journal.slice(0, second + 1) });
    expect(record.comparing?.skipped).toBeNull();
    expect(comparison.cases[0]!.metrics.throughput!.verdict).toBe('no-change');
  });
});

describe('what is seen of each side', () => {
  it('is in the record of a run that publishes figures of full length, and of none with short ones', async () => {
    const { record } = await comparingRun();
    const seen = record.services.map(({ variant, observed }) => [variant, observed?.backlog, observed?.headerBytes]);
    expect(seen.sort()).toEqual([
      ['baseline', 511, 148],
      ['candidate', 511, 148],
    ]);
    const short = await comparingRun({ isShort: true });
    expect(short.record.services.map(({ observed }) => observed)).toEqual([undefined, undefined]);
  });
});

describe('the thread that used the most', () => {
  it('is that of the load alone, in each trial without another side', async () => {
    const { record, journal } = await comparingRun();
    const trials = journal.flatMap((entry) => (entry.kind === 'trial' ? entry : []));
    const shown = trials.filter(({ cpu }) => cpu.busiestThreadNs !== undefined);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.every(({ mode, cpu }) => mode === 'solo' && cpu.busiestThreadNs === 0.75 * cpu.serviceNs)).toBe(true);
    expect(record.cases[0]!.utilisation!.busiestThread).toBeCloseTo(0.75 * record.cases[0]!.utilisation!.service, 9);
  });
});

describe('a case that the machine cannot load', () => {
  const reason = { code: 'machine-limit', message: 'not measured: too many connections' };
  const unloadable = [{ caseKey: key('news'), reason }];

  it('is measured on neither side, costs the others nothing, and fails the gate', async () => {
    const candidate = smallSpec([{}, { name: 'news', path: '/news' }]);
    const { record, comparison, log } = await comparingRun({ candidate, unloadable });
    expect(log.filter((line) => line.includes('news'))).toEqual([]);
    expect(measured(record)).toEqual({
      [`baseline ${key('ping')}`]: [1000],
      [`candidate ${key('ping')}`]: [1000],
      [`baseline ${key('news')}`]: [null, reason.message],
      [`candidate ${key('news')}`]: [null, reason.message],
    });
    expect(comparison.gate).toMatchObject({
      passed: false,
      regressions: [],
      invalid: [{ caseKey: key('news'), metric: null, message: reason.message }],
    });
    expect(comparison.cases.map(({ presence }) => presence)).toEqual(['both', 'both']);
  });

  it('is none of those that a testbed is started for', async () => {
    const candidate = smallSpec([{}, { name: 'news', path: '/news' }]);
    const started = new Set<string>();
    const start = ({ variant, cases }: TestbedRequest) => {
      started.add(`${variant}: ${cases?.map((each) => each.key)}`);
      return null;
    };
    await comparingRun({ candidate, unloadable, budgetSeconds: 1, machine: { start } });
    expect([...started].sort()).toEqual([`baseline: ${key('ping')}`, `candidate: ${key('ping')}`]);
  });

  it('is measured once the machine can, where the run is gone on with', async () => {
    const candidate = smallSpec([{}, { name: 'news', path: '/news' }]);
    const { journal } = await comparingRun({ candidate, unloadable });
    const { record, comparison } = await comparingRun({ candidate, resumed: journal });
    expect(measured(record)).toMatchObject({ [`candidate ${key('news')}`]: [1000] });
    expect(comparison.gate).toMatchObject({ passed: true, invalid: [] });
  });

  it('of a service that has no other is not started for', async () => {
    const candidate = smallSpec([{}], ['go', 'rust']);
    const { record, log } = await comparingRun({ candidate, unloadable: [{ caseKey: key('ping', 'rust'), reason }] });
    expect(log.filter((line) => line.includes('rust'))).toEqual([]);
    expect(record.cases.filter(({ service }) => service === 'rust').map(({ status }) => status)).toEqual([
      'invalid',
      'invalid',
    ]);
  });
});

describe('a case that only the candidate has', () => {
  const baseline = smallSpec();

  it('of a new endpoint is measured by itself, is new and does not gate; the baseline is never asked for it', async () => {
    const candidate = smallSpec([{}, { name: 'news', path: '/news' }]);
    const { record, comparison, log } = await comparingRun({ baseline, candidate });
    expect(log.filter((line) => line.includes('news') && line.includes('baseline'))).toEqual([]);
    expect(measured(record)).toEqual({
      [`baseline ${key('ping')}`]: [1000],
      [`candidate ${key('ping')}`]: [1000],
      [`candidate ${key('news')}`]: [1000],
    });
    expect(comparison.gate).toMatchObject({ passed: true, invalid: [], new: [{ caseKey: key('news') }] });
    expect(comparison.cases.map(({ presence }) => presence)).toEqual(['both', 'new']);
  });

  it('of a new gateway is new, while the direct route is compared', async () => {
    const candidate = { ...smallSpec(), gateway: { kind: 'nginx' as const, image: 'nginx:1.29' } };
    const { comparison } = await comparingRun({ baseline, candidate });
    expect(comparison.gate).toMatchObject({
      passed: true,
      invalid: [],
      new: [{ caseKey: key('ping').replace('direct', 'gateway') }],
    });
  });

  it('of a new service is new, and takes nothing of the budget', async () => {
    const candidate = smallSpec([{}], ['go', 'rust']);
    const { comparison } = await comparingRun({ baseline, candidate });
    expect(comparison.gate).toMatchObject({ passed: true, invalid: [], new: [{ caseKey: key('ping', 'rust') }] });
  });
});

describe('a request that changes', () => {
  it('is compared with what it was, each side being asked as its own spec has it', async () => {
    const candidate = smallSpec([{ path: '/ping?page=2' }]);
    const { comparison } = await comparingRun({ baseline: smallSpec(), candidate });
    expect(comparison.gate).toMatchObject({ passed: true, invalid: [], new: [] });
    expect(comparison.cases[0]!.presence).toBe('both');
  });
});

describe('an answer that changes', () => {
  const candidate = smallSpec([{ expect: expecting('new') }]);

  it('is held against each side’s own spec, and the case is compared', async () => {
    const { comparison } = await comparingRun({
      baseline: smallSpec([{ expect: expecting('old') }]),
      candidate,
      machine: { body: (variant) => (variant === 'baseline' ? 'old' : 'new') },
    });
    expect(comparison.gate).toMatchObject({ passed: true, invalid: [], new: [] });
    expect(comparison.cases[0]!.metrics.throughput!.verdict).toBe('no-change');
  });

  it('and that the baseline does not give makes the case invalid for that reason; the candidate is measured by itself', async () => {
    const { record, comparison } = await comparingRun({
      candidate,
      machine: { body: (variant) => (variant === 'baseline' ? 'old' : 'new') },
    });
    const why = 'The baseline of go does not answer GET /ping as expected: body: expected "new", got "old"';
    expect(measured(record)).toEqual({
      [`baseline ${key('ping')}`]: [null, why],
      [`candidate ${key('ping')}`]: [1000],
    });
    expect(comparison.gate).toMatchObject({
      passed: false,
      invalid: [{ caseKey: key('ping'), message: `baseline: ${why}` }],
      new: [],
    });
  });
});

describe('a database that goes away in the pass without load', () => {
  const gone = () => new TestbedError('database-exited', 'Postgres has ended.');
  const two = smallSpec([{}, { name: 'users', path: '/users' }]);

  it('of one side costs the case that it was asked for; the others are compared, and the candidate is measured', async () => {
    const { record, comparison } = await comparingRun({
      candidate: two,
      machine: {
        database: ({ variant }, { name }) => (variant === 'baseline' && name === 'users' ? gone() : null),
      },
    });
    expect(measured(record)).toEqual({
      [`baseline ${key('ping')}`]: [1000],
      [`candidate ${key('ping')}`]: [1000],
      [`baseline ${key('users')}`]: [null, 'go: Postgres has ended.'],
      [`candidate ${key('users')}`]: [1000],
    });
    expect(comparison.gate.invalid.map(({ caseKey, message }) => [caseKey, message])).toEqual([
      [key('users'), 'baseline: go: Postgres has ended.'],
    ]);
    expect(comparison.cases[0]!.metrics.throughput!.verdict).toBe('no-change');
  });

  it('of both loses no other service', async () => {
    const { record } = await comparingRun({
      candidate: smallSpec([{}], ['go', 'rust']),
      machine: { database: ({ service }) => (service.name === 'go' ? gone() : null) },
    });
    expect(measured(record)).toMatchObject({
      [`baseline ${key('ping')}`]: [null, 'go: Postgres has ended.'],
      [`baseline ${key('ping', 'rust')}`]: [1000],
      [`candidate ${key('ping', 'rust')}`]: [1000],
    });
    expect(record.interrupted).toBeNull();
  });
});

describe('several builds of each side', () => {
  it('are used in turn, the same on both sides, and all of them are in the record', async () => {
    const started: string[] = [];
    const start = ({ variant, round, artifact }: TestbedRequest) => {
      started.push(`${round} ${variant} ${artifact}`);
      return null;
    };
    const { record, comparison } = await comparingRun({ builds: 2, limit: 0, budgetSeconds: 60, machine: { start } });
    const rounds = Math.max(...started.map((line) => Number(line.split(' ')[0])));
    expect(rounds).toBeGreaterThan(2);
    const expected = Array.from({ length: rounds + 1 }, (_, round) =>
      round === 0 || round % 2 === 1 ? 'go 1' : 'go 2',
    );
    for (const variant of ['baseline', 'candidate']) {
      const own = started.filter((line) => line.includes(variant));
      expect(own).toEqual(expected.map((artifact, round) => `${round} ${variant} ${artifact}`));
    }
    expect(record.services.map(({ artifact, builds }) => [artifact, builds])).toEqual([
      ['go 1', ['go 1', 'go 2']],
      ['go 1', ['go 1', 'go 2']],
    ]);
    expect([comparison.baseline.builds, comparison.candidate.builds]).toEqual([{ go: 2 }, { go: 2 }]);
  });
});
