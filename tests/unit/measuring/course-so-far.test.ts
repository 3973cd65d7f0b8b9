import { describe, expect, it } from 'vitest';
import { lastInstance, ratesIn, tasksLeft } from '../../../src/app/measuring/side-by-side/course-so-far.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import type { SliceMeasurement } from '../../../src/core/record/measurement.ts';
import { healthyPass, healthySlice, testCase } from '../support/slices.ts';

const planned = { service: testCase().service, cases: [testCase(), testCase({ key: 'go/ping/direct/wrk/close/100' })] };
const [first, second] = planned.cases.map(({ key }) => key) as [string, string];
const pass = (instance: number): JournalEntry => ({ kind: 'pass', ...healthyPass({ instance }) });
const slice = (changes: Partial<SliceMeasurement>): JournalEntry => ({ kind: 'slice', ...healthySlice(changes) });
const ended = (instance: number): JournalEntry => ({ kind: 'instance', service: 'go', instance, comparingSeconds: 9 });

describe('the last instance of a comparing service', () => {
  const last = (...entries: JournalEntry[]) => lastInstance({ planned, entries: () => entries });

  it('is 0 before the first, and after that of the published figures', () => {
    expect(last()).toBe(0);
    expect(last(pass(0), slice({ instance: 0 }))).toBe(0);
  });

  it('counts one that was interrupted: another start gets another number', () => {
    expect(last(pass(0), pass(1), ended(1), pass(2), slice({ instance: 2, mode: 'duet' }))).toBe(2);
  });

  it('is none of another service', () => {
    expect(last({ kind: 'instance', service: 'node', instance: 7, comparingSeconds: 9 })).toBe(0);
  });
});

describe('what is left of a comparing service', () => {
  const left = (
    mode: 'duet' | 'interleaved',
    entries: JournalEntry[],
    aloneToo: string[] = [],
  ): Record<string, string[]> => {
    const decided = { undecided: new Set([first, second]), aloneToo: new Set(aloneToo), invalid: new Set<string>() };
    const tasks = tasksLeft({ planned, mode, entries: () => entries }, new Set(), decided);
    return Object.fromEntries(
      Object.entries(tasks as unknown as Record<string, { key: string }[]>).map(([task, cases]) => [
        task,
        cases.map(({ key }) => key),
      ]),
    );
  };

  it('begins with the published figures of every case', () => {
    expect(left('duet', [])).toEqual({ unpublished: [first, second], undecided: [first, second], interleaved: [] });
    expect(left('duet', [slice({ caseKey: first })]).unpublished).toEqual([second]);
  });

  it('is loaded in turn where that is the mode, or where duets tell too little', () => {
    expect(left('interleaved', []).interleaved).toEqual([first, second]);
    expect(left('duet', [], [second]).interleaved).toEqual([second]);
  });
});

describe('the rates of a run that goes on', () => {
  it('are those of its duets, else half of what was sent alone', () => {
    const alone = [slice({ caseKey: first, rate: 900 }), slice({ caseKey: second, rate: 501 })];
    const rates = ratesIn([...alone, slice({ caseKey: first, mode: 'duet', rate: 430 })]);
    expect([...rates]).toEqual([
      [first, 430],
      [second, 251],
    ]);
  });
});
