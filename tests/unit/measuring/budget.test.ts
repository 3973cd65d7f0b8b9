import { describe, expect, it } from 'vitest';
import {
  mostSecondsAfter,
  nextRoundSeconds,
  roundsExpected,
  secondsLeft,
} from '../../../src/app/measuring/side-by-side/budget.ts';
import type { Side } from '../../../src/app/measuring/side-by-side/sides.ts';
import { type Case, casesOf } from '../../../src/core/config/case.ts';
import { plannedRound } from '../../../src/core/plan/duets.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import { smallSpec } from '../support/comparing.ts';

const took = (service: string, comparingSeconds: number): JournalEntry => ({
  kind: 'round',
  service,
  round: 1,
  comparingSeconds,
});
const order = ['go', 'node', 'rust'];
const left = (service: string, ...entries: JournalEntry[]) => secondsLeft(service, order, 300, entries);

describe('the seconds that a service has left to be compared in', () => {
  it('are an even part of all, and of what those before it did not use', () => {
    expect(left('go')).toBe(100);
    expect(left('node', took('go', 20))).toBe(140);
    expect(left('rust', took('go', 20), took('node', 160))).toBe(120);
  });

  it('are none where it has spent its part, also after a run that was interrupted in a later service', () => {
    const entries = [took('go', 101), took('node', 50)];
    expect(left('go', ...entries)).toBe(-1);
    expect(left('node', ...entries)).toBe(49.5);
    expect(left('rust', ...entries)).toBe(149);
  });

  it('are less what a round took that could not be started, or was interrupted', () => {
    expect(left('go', took('go', 30), { kind: 'broken-off', service: 'go', round: 2, comparingSeconds: 10 })).toBe(60);
  });
});

describe('the seconds that a service may be compared for', () => {
  const budget = { budgetSeconds: 490, extraSeconds: 410, expectedRounds: 14, longestSeconds: 720 };
  const most = (rounds: number, changes = {}, sees = true) => mostSecondsAfter(rounds, sees, { ...budget, ...changes });

  it('are more until there are the 8 rounds of a verdict, and until there are those that the budget was made for', () => {
    expect([0, 7, 8, 13, 14, 40].map((rounds) => most(rounds))).toEqual([900, 900, 720, 720, 490, 490]);
  });

  it('are more where rounds scatter so much that twice a limit would not show', () => {
    expect([7, 8, 14, 40].map((rounds) => most(rounds, {}, false))).toEqual([900, 720, 720, 720]);
    expect(most(14, { longestSeconds: 490 }, false)).toBe(490);
  });

  it('are those of the budget where it was made for fewer rounds than a verdict takes', () => {
    expect([7, 8].map((rounds) => most(rounds, { expectedRounds: 5 }))).toEqual([900, 490]);
  });

  it('are never less than the budget, also where services before it have used what a slower machine may have more', () => {
    expect(most(9, { longestSeconds: 300 })).toBe(490);
  });
});

describe('the seconds that the next round will take', () => {
  const candidate = smallSpec();
  const k6 = {
    ...{ arrival: { kind: 'rate' as const, requestsPerSecond: 100 }, connections: [50], keepAlive: [true] },
    ...{ durationSeconds: 10, timeoutSeconds: 10, script: null },
  };
  const spec = {
    ...candidate,
    load: { ...candidate.load, k6, wrk: { ...candidate.load.wrk!, keepAlive: [true, false] } },
  };
  const cases = casesOf(spec);
  const ofGenerator = (name: string) => cases.filter(({ generator }) => generator === name);
  const side = { spec } as Side;
  const request = {
    planned: { service: spec.services[0]!, cases },
    sides: { baseline: side, candidate: side },
    mode: 'duet' as const,
    entries: () => [],
  };
  const next = (left: readonly Case[]) => nextRoundSeconds(left, { seconds: 20, cases }, request);

  it('are those of the last one where the same cases are left', () => {
    expect(next(cases)).toBe(20);
  });

  it('are less where fewer are left, as far as these are the short ones', () => {
    expect(ofGenerator('wrk')).toHaveLength(2);
    expect(ofGenerator('k6')).toHaveLength(1);
    expect(next(ofGenerator('wrk'))).toBeLessThan(next(ofGenerator('k6')));
    expect(next(ofGenerator('k6'))).toBeLessThan(20);
  });
});

describe('the rounds that a budget was made for', () => {
  it('are the whole ones of the cases that it compares', () => {
    const spec = smallSpec();
    const cases = casesOf(spec);
    const { seconds } = plannedRound(cases, spec, 'duet');
    expect(roundsExpected(5.9 * seconds, cases, spec, 'duet')).toBe(5);
    expect(roundsExpected(0.5 * seconds, cases, spec, 'duet')).toBe(0);
  });
});
