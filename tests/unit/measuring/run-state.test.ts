import { describe, expect, it } from 'vitest';
import {
  lastRound,
  lastTaken,
  ratesIn,
  tasksLeft,
  withoutBaseline,
} from '../../../src/app/measuring/side-by-side/run-state.ts';
import type { TrialMeasurement } from '../../../src/core/measurement/measurement.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import { healthyPass, healthyTrial, testCase } from '../support/trials.ts';

const planned = {
  service: testCase().service,
  cases: [testCase(), testCase({ key: 'go/ping/direct/wrk/keep-alive-off/100' })],
};
const [first, second] = planned.cases.map(({ key }) => key) as [string, string];
const pass = (round: number): JournalEntry => ({ kind: 'pass', ...healthyPass({ round }) });
const trial = (changes: Partial<TrialMeasurement>): JournalEntry => ({ kind: 'trial', ...healthyTrial(changes) });
const ended = (round: number): JournalEntry => ({ kind: 'round', service: 'go', round, comparingSeconds: 9 });

describe('the last round of a comparing service', () => {
  const last = (...entries: JournalEntry[]) => lastRound({ planned, entries: () => entries });

  it('is 0 before the first, and after that of the published figures', () => {
    expect(last()).toBe(0);
    expect(last(pass(0), trial({ round: 0 }))).toBe(0);
  });

  it('counts one that was interrupted: another start gets another number', () => {
    expect(last(pass(0), pass(1), ended(1), pass(2), trial({ round: 2, mode: 'duet' }))).toBe(2);
  });

  it('is none of another service', () => {
    expect(last({ kind: 'round', service: 'node', round: 7, comparingSeconds: 9 })).toBe(0);
  });
});

describe('what is left of a comparing service', () => {
  const left = (
    mode: 'duet' | 'interleaved',
    entries: JournalEntry[],
    soloToo: string[] = [],
    recounted: string[] = [],
  ): Record<string, string[]> => {
    const decided = {
      undecided: new Set([first, second]),
      soloToo: new Set(soloToo),
      recounted: new Set(recounted),
      invalid: new Set<string>(),
      isRed: false,
      seesTwiceEachLimit: false,
    };
    const tasks = tasksLeft({ planned, mode, entries: () => entries }, new Set(), decided);
    return Object.fromEntries(
      Object.entries(tasks as unknown as Record<string, { key: string }[]>).map(([task, cases]) => [
        task,
        cases.map(({ key }) => key),
      ]),
    );
  };

  const solo = (variant: 'baseline' | 'candidate', changes: Partial<TrialMeasurement> = {}) =>
    trial({ caseKey: first, variant, round: 0, ...changes });

  it('begins with the published figures of every case', () => {
    expect(left('duet', [])).toEqual({
      ...{ unpublished: [first, second], undecided: [first, second] },
      ...{ interleaved: [], recounted: [] },
    });
    expect(left('duet', [solo('baseline'), solo('candidate')]).unpublished).toEqual([second]);
  });

  it('has the published figures of a case once both sides have theirs', () => {
    for (const variant of ['baseline', 'candidate'] as const) {
      expect(left('duet', [solo(variant)]).unpublished).toEqual([first, second]);
    }
    const compared = [solo('baseline', { round: 1 }), solo('candidate', { round: 1 })];
    expect(left('interleaved', compared).unpublished).toEqual([first, second]);
  });

  it('is loaded in turn where that is the mode, or where duets tell too little', () => {
    expect(left('interleaved', []).interleaved).toEqual([first, second]);
    expect(left('duet', [], [second]).interleaved).toEqual([second]);
  });

  it('is counted again where its counts vary', () => {
    expect(left('duet', [], [], [second]).recounted).toEqual([second]);
  });
});

describe('the last round as a measure of the next one', () => {
  const taken = (...entries: JournalEntry[]) => lastTaken({ planned, entries: () => entries });

  it('is the last that came to its end, with the cases that it was of', () => {
    const two = [trial({ round: 1, caseKey: first }), trial({ round: 1, caseKey: second }), ended(1)];
    expect(taken(...two)).toEqual({ seconds: 9, cases: planned.cases });
    const broken: JournalEntry = { kind: 'broken-off', service: 'go', round: 3, comparingSeconds: 2 };
    expect(taken(...two, trial({ round: 2 }), ended(2), pass(3), broken)).toEqual({
      seconds: 9,
      cases: planned.cases.slice(0, 1),
    });
  });

  it('is none before there was one', () => {
    expect(taken(pass(0), trial({ round: 0 }))).toBeNull();
  });
});

describe('the cases whose baseline cannot be had', () => {
  it('are those that only the baseline has lost', () => {
    const lost = (caseKey: string, variant?: 'baseline'): JournalEntry => ({
      kind: 'lost',
      caseKey,
      ...(variant === undefined ? {} : { variant }),
      reason: { code: 'exited', message: 'gone' },
    });
    const entries = [lost(first, 'baseline'), lost(second, 'baseline'), lost(second)];
    expect(withoutBaseline({ planned, entries: () => entries }).map(({ key }) => key)).toEqual([first]);
  });
});

describe('the rates of a run that goes on', () => {
  it('are those that were chosen, alone and in duets', () => {
    const chosen: JournalEntry = { kind: 'rate', caseKey: first, solo: 2000, duet: 2000 };
    expect([...ratesIn([trial({ caseKey: first, rate: 2000 }), chosen])]).toEqual([
      [first, { solo: 2000, duet: 2000 }],
    ]);
  });
});
