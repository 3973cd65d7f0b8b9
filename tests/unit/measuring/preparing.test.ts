import { describe, expect, it } from 'vitest';
import type { MeasuringAdapters } from '../../../src/app/measuring/adapters.ts';
import { measure } from '../../../src/app/measuring/measuring.ts';
import { preparingOf } from '../../../src/app/measuring/preparing.ts';
import type { BusySide, BusyTask } from '../../../src/app/ports/progress.ts';
import {
  type Testbed,
  type TestbedActivity,
  TestbedError,
  type TestbedRequest,
  type TestbedRuntime,
} from '../../../src/app/ports/testbed.ts';
import type { PrepareStep } from '../../../src/core/config/prepare.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import type { Variant } from '../../../src/core/measurement/names.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import type { JournalEntry, JournalHeader } from '../../../src/core/record/journal.ts';
import { journalHeader } from '../../support/journal-header.ts';
import { comparingRun, smallSpec } from '../support/comparing.ts';
import { fakeMeasuring } from '../support/fake-measuring.ts';

const signal = new AbortController().signal;
const request = { method: 'POST', path: '/items', headers: {}, body: null, status: null };
const STEPS: PrepareStep[] = [
  { kind: 'job', command: ['manage.py', 'migrate', '--password', 'word'], env: { SECRET: 'x' }, timeoutSeconds: 600 },
  { kind: 'sql', files: ['seed.sql', 'more.sql'] },
  {
    kind: 'requests',
    requests: [
      { ...request, repeat: 1000 },
      { ...request, path: '/tags', repeat: 500 },
    ],
  },
  { kind: 'start' },
];

/** A runtime whose starts go through `activities`, each at its second. */
function prepared(hasTwoSides: boolean, users = 1) {
  let seconds = 0;
  const told: string[] = [];
  const progress = {
    busy: (side: BusySide, task: BusyTask | null) =>
      void told.push(
        [side ?? 'one', ...(task === null ? ['nothing'] : [task.title, task.what, task.count ?? '-'])].join(' | '),
      ),
  };
  const preparing = preparingOf(progress, { monotonicNs: () => seconds * 1e9 }, hasTwoSides);
  const login = { steps: [], users };
  const spec: ResolvedSpec = { ...smallSpec([{}], ['web']), prepare: STEPS, login };
  const requestOf = (variant: Variant): TestbedRequest => ({
    ...{ runId: 'run', spec, service: spec.services[0]!, variant, round: 1, specDirectory: '/nowhere', artifact: '' },
    placement: { service: '0', database: '0', generator: '1' },
  });
  let onActivity: NonNullable<TestbedRequest['onActivity']> = () => undefined;
  let fails = false;
  const runtime = preparing.told({
    start: async (of: TestbedRequest) => {
      onActivity = of.onActivity!;
      if (fails) onActivity({ kind: 'prepare', step: 1 });
      if (fails) throw new TestbedError('prepare-failed', 'prepare step 1 failed.');
      return {} as Testbed;
    },
  } as unknown as TestbedRuntime);
  return {
    told: () => told.splice(0),
    seconds: () => preparing.ns() / 1e9,
    async start(variant: Variant) {
      await runtime.start(requestOf(variant), signal);
      told.splice(0);
      const own = onActivity;
      return (activity: TestbedActivity | null, at: number) => {
        seconds = at;
        own(activity);
      };
    },
    async failing() {
      fails = true;
      await runtime.start(requestOf('candidate'), signal).catch(() => undefined);
    },
  };
}

describe('what testbeds are busy with', () => {
  it('is told by the steps as the spec has them', async () => {
    const { start, told } = prepared(false);
    const at = await start('candidate');
    at({ kind: 'prepare', step: 1 }, 0);
    at({ kind: 'prepare', step: 2 }, 1);
    at({ kind: 'prepare', step: 3 }, 2);
    at({ kind: 'prepare', step: 3, answered: 1200 }, 3);
    at({ kind: 'prepare', step: 4 }, 4);
    at({ kind: 'snapshot' }, 5);
    at({ kind: 'login' }, 6);
    at(null, 7);
    at({ kind: 'restore' }, 8);
    at(null, 9);
    expect(told()).toEqual([
      'one | preparing web | step 1 of 4, job: manage.py migrate --password [redacted] | -',
      'one | preparing web | step 2 of 4, sql: seed.sql, more.sql | -',
      'one | preparing web | step 3 of 4, requests: POST /items, POST /tags | -',
      'one | preparing web | step 3 of 4, requests: POST /items, POST /tags | 1,200 of 1,500',
      'one | preparing web | step 4 of 4, start | -',
      'one | preparing web | taking a snapshot of the data | -',
      'one | web | logging in | -',
      'one | nothing',
      'one | web | putting the data back | -',
      'one | nothing',
    ]);
  });

  it('says which side it is of, where there are two, and how many users log in', async () => {
    const { start, told } = prepared(true, 50);
    for (const variant of ['baseline', 'candidate'] as const) (await start(variant))({ kind: 'login' }, 1);
    expect(told()).toEqual(['candidate | web | logging in 50 users | -']);
  });

  it('says once a second how many requests are answered', async () => {
    const { start, told } = prepared(false);
    const at = await start('candidate');
    for (let answered = 1; answered <= 1000; answered += 1) at({ kind: 'prepare', step: 3, answered }, answered / 400);
    expect(told().map((line) => line.split(' | ').at(-1))).toEqual(['1 of 1,500', '401 of 1,500', '801 of 1,500']);
  });

  it('is nothing any more once the start has failed', async () => {
    const { failing, told } = prepared(false);
    await failing();
    expect(told()).toEqual([
      'one | preparing web | step 1 of 4, job: manage.py migrate --password [redacted] | -',
      'one | nothing',
    ]);
  });

  it('takes as long as one side or the other is prepared, and what both are at once counts once', async () => {
    const { start, seconds } = prepared(true);
    const [baseline, candidate] = [await start('baseline'), await start('candidate')];
    baseline({ kind: 'prepare', step: 1 }, 10);
    candidate({ kind: 'prepare', step: 1 }, 12);
    expect(seconds()).toBe(2);
    baseline({ kind: 'snapshot' }, 20);
    baseline(null, 21);
    candidate(null, 25);
    expect(seconds()).toBe(15);
    candidate({ kind: 'login' }, 30);
    candidate(null, 40);
    candidate({ kind: 'restore' }, 50);
    candidate(null, 60);
    expect(seconds()).toBe(15);
  });
});

describe('what preparing takes', () => {
  const STEP: PrepareStep = { kind: 'job', command: ['migrate'], env: {}, timeoutSeconds: 600 };
  const spec: ResolvedSpec = { ...smallSpec(), prepare: [STEP] };

  it('is no part of the budget, whichever round it is in, and stands in the record', async () => {
    const roundsOf = (journal: readonly JournalEntry[]) =>
      journal.flatMap((entry) => (entry.kind === 'round' ? [entry.comparingSeconds] : []));
    const of = { candidate: spec, budgetSeconds: 30 };
    const without = await comparingRun(of);
    const machine = { preparingSeconds: ({ round }: TestbedRequest) => (round === 1 ? 300 : 0) };
    const { journal, record } = await comparingRun({ ...of, machine });
    expect(roundsOf(journal).length).toBeGreaterThan(1);
    expect(roundsOf(journal)).toEqual(roundsOf(without.journal));
    expect(record.timing.preparingSeconds).toBe(600);
    expect(record.timing.wallSeconds).toBeCloseTo(without.record.timing.wallSeconds + 600, 6);
    expect(without.record.timing).not.toHaveProperty('preparingSeconds');
  });

  it('is not foreseen: how long is left is said once the data are there, and as if they had always been', async () => {
    const statesOf = async (preparingSeconds: number) => {
      const { adapters } = fakeMeasuring({ preparingSeconds: () => preparingSeconds });
      const states: string[] = [];
      const progress: MeasuringAdapters['progress'] = {
        ...adapters.progress,
        at: ({ what, remainingSeconds }) =>
          void states.push(`${what}: ${remainingSeconds === null ? 'unknown' : Math.round(remainingSeconds)}`),
      };
      const many = { ...spec, load: { ...spec.load, wrk: { ...spec.load.wrk!, connections: [1, 10, 100] } } };
      const header = journalHeader({ spec: many }) as JournalEntry & JournalHeader;
      const request = { header, spec: many, specDirectory: '/nowhere', plan: planOf(many, { seed: 1 }) };
      await measure({ ...request, resumed: null, comparing: null }, { ...adapters, progress }, signal);
      return states;
    };
    const states = await statesOf(300);
    expect(states).toHaveLength(4);
    expect(states[0]).toBe('starting go: unknown');
    expect(states.slice(1).map((state) => state.replace(/\d+$/, '#'))).toEqual(
      [1, 2, 3].map(() => expect.stringMatching(/^go\/ping\/direct\/wrk\/keep-alive\/\d+: #$/)),
    );
    expect(states).toEqual(await statesOf(0));
  });
});
