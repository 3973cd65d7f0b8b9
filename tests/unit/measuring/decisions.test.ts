import { describe, expect, it } from 'vitest';
import { decisionsOf } from '../../../src/app/measuring/side-by-side/decisions.ts';
import type { GateRules } from '../../../src/core/config/resolved.ts';
import type { DuetReadings, TrialMeasurement } from '../../../src/core/measurement/measurement.ts';
import type { JournalEntry, JournalHeader } from '../../../src/core/record/journal.ts';
import { journalHeader } from '../../support/journal-header.ts';
import { healthyTrial, testCase } from '../support/trials.ts';

const ping = testCase();
const close = testCase({ key: 'go/ping/direct/wrk/keep-alive-off/100' });
const rust = testCase({ key: 'rust/ping/direct/wrk/keep-alive/100', service: { ...ping.service, name: 'rust' } });

const CPU: GateRules['metrics'] = { 'cpu-per-request': { maxIncrease: { kind: 'ratio', value: 0.03 } } };
const THROUGHPUT: GateRules['metrics'] = { throughput: { maxDecrease: { kind: 'ratio', value: 0.05 } } };

function header(metrics: GateRules['metrics']): JournalEntry {
  const side = { recordId: null, sha: null, text: 'made up' };
  const { spec } = journalHeader() as JournalEntry & JournalHeader;
  const gate = { ...spec.gate, metrics };
  return journalHeader({
    comparing: { mode: 'duet', baseline: side, candidate: side, gate, skipped: null, warnings: [], accepted: [] },
  });
}

const HALF: DuetReadings = {
  ...{ overlapNs: 10_000_000_000, ownNs: 4_900_000_000, partnerNs: 4_900_000_000 },
  ...{ idleNs: 0, partnerWindowNs: 0, partnerGeneratorNs: 0 },
};

/** One duet in each of so many rounds. */
function duets(
  rounds: number,
  key = ping.key,
  candidate: Partial<TrialMeasurement> = {},
  duet: Record<'baseline' | 'candidate', DuetReadings> = { baseline: HALF, candidate: HALF },
): JournalEntry[] {
  return Array.from({ length: rounds }, (_, index) =>
    (['baseline', 'candidate'] as const).map((variant): JournalEntry => {
      const changes = variant === 'candidate' ? candidate : {};
      const place = { caseKey: key, variant, round: index + 1, pair: 1000 * (index + 1) + 1, mode: 'duet' as const };
      return { kind: 'trial', ...healthyTrial({ ...place, duet: duet[variant], ...changes }) };
    }),
  ).flat();
}

/** Keys of each kind after so many rounds. */
function decided(entries: JournalEntry[], rounds: number, metrics = CPU) {
  const decisions = decisionsOf(() => [header(metrics), ...entries], [ping, close, rust], { now: () => new Date(0) });
  const { undecided, soloToo, invalid } = decisions.of('go', rounds);
  return { undecided: [...undecided], soloToo: [...soloToo], invalid: [...invalid] };
}

describe('what is decided of a service', () => {
  it('is nothing before its first round: all of its cases are open, and none of another service', () => {
    expect(decided(duets(8, rust.key), 0)).toEqual({ undecided: [ping.key, close.key], soloToo: [], invalid: [] });
  });

  it('is a case that a look has told: the first is after six rounds', () => {
    expect(decided(duets(5), 5).undecided).toEqual([ping.key]);
    expect(decided(duets(6), 6)).toEqual({ undecided: [], soloToo: [], invalid: [] });
  });

  it('is that solo trials are wanted as well where the sides of duets do not get the same CPU, once two rounds tell', () => {
    const uneven = { baseline: HALF, candidate: { ...HALF, ownNs: 4_500_000_000, partnerNs: 5_300_000_000 } };
    expect(decided(duets(1, ping.key, {}, uneven), 1, THROUGHPUT).soloToo).toEqual([]);
    expect(decided(duets(2, ping.key, {}, uneven), 2, THROUGHPUT).soloToo).toEqual([ping.key]);
    expect(decided(duets(2), 2, THROUGHPUT).soloToo).toEqual([]);
  });

  it('is that a case is lost whose answer was not as expected, at once', () => {
    const reason = { code: 'unexpected-body', message: 'status: expected 200, got 404' };
    const lost: JournalEntry = { kind: 'lost', caseKey: close.key, variant: 'baseline', reason };
    expect(decided([lost], 0).invalid).toEqual([close.key]);
    expect(decided([lost, ...duets(2)], 2)).toEqual({
      undecided: [ping.key, close.key],
      soloToo: [],
      invalid: [close.key],
    });
  });

  it('is that one is lost which only the machine spoilt, when the first look has come and it is still so', () => {
    const spoilt = duets(8, ping.key, { clockStepMs: 5000 });
    expect(decided(spoilt, 7)).toEqual({ undecided: [ping.key], soloToo: [], invalid: [] });
    expect(decided(spoilt, 8).invalid).toEqual([ping.key]);
  });

  it('is that one is lost at once in which one side alone answered nothing; where neither did, when the first look has come', () => {
    const outcome = { ...healthyTrial().outcome!, requests: 0 };
    const alone = duets(1, ping.key, { outcome });
    expect(decided(alone, 1).invalid).toEqual([ping.key]);
    const neither = (rounds: number) => duets(rounds, ping.key).map((entry) => ({ ...entry, outcome }) as JournalEntry);
    expect(decided(neither(1), 1)).toEqual({ undecided: [ping.key], soloToo: [], invalid: [] });
    expect(decided(neither(8), 8).invalid).toContain(ping.key);
    const later = duets(8).map((entry, index) => (index < 2 ? { ...entry, outcome } : entry) as JournalEntry);
    expect(decided(later, 8)).toEqual({ undecided: [], soloToo: [], invalid: [] });
  });

  it('is that something is red, once a look has told', () => {
    const isRed = (rounds: number, cpuShare: number, metrics = CPU) => {
      const cpu = healthyTrial({}).cpu;
      const dearer = { cpu: { ...cpu, serviceNs: cpu.serviceNs * cpuShare } };
      const entries = [header(metrics), ...duets(rounds, ping.key, dearer)];
      return decisionsOf(() => entries, [ping], { now: () => new Date(0) }).of('go', rounds).isRed;
    };
    expect(isRed(8, 1.2)).toBe(true);
    expect(isRed(7, 1.2)).toBe(false);
    expect(isRed(8, 1)).toBe(false);
    // Nothing limits it.
    expect(isRed(8, 1.2, { 'memory-peak': { maxIncrease: { kind: 'ratio', value: 0.1 } } })).toBe(false);
  });

  it('is told of comparing runs alone', () => {
    const decisions = decisionsOf(() => [journalHeader()], [ping], { now: () => new Date(0) });
    expect(() => decisions.of('go', 1)).toThrow('the journal is of a run without a baseline');
  });
});
