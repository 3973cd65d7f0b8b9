import { describe, expect, it } from 'vitest';
import { condensed } from '../../../../research/noise/condense.ts';
import { noiseSpec } from '../../../../research/noise/noise-spec.ts';
import { casesOf } from '../../../../src/core/config/case.ts';
import { readSpec } from '../../../../src/core/config/read.ts';
import type { TrialMeasurement } from '../../../../src/core/measurement/measurement.ts';
import type { JournalEntry } from '../../../../src/core/record/journal.ts';
import { journalHeader } from '../../../support/journal-header.ts';
import { healthyTrial } from '../../support/trials.ts';

const spec = readSpec(noiseSpec({ pairing: 'duet', budgetSeconds: 600 }), 'wrkbench.yml');
const header = journalHeader({ spec });
const [WRK] = casesOf(spec)
  .map(({ key }) => key)
  .filter((key) => key === 'node/ping/direct/wrk/keep-alive/100');
const ended = (round: number): JournalEntry => ({
  kind: 'round',
  service: 'node',
  round,
  comparingSeconds: 60,
});
const trial = (changes: Partial<TrialMeasurement> = {}): JournalEntry => ({
  kind: 'trial',
  ...healthyTrial({ caseKey: WRK!, round: 1, ...changes }),
});

describe('the spec of recordings', () => {
  it('has the standard preset of four endpoints: 20 cases', () => {
    expect(casesOf(spec).map(({ key }) => key)).toEqual(
      ['ping', 'time', 'db-ping', 'users'].flatMap((endpoint) => [
        ...['keep-alive', 'keep-alive-off'].flatMap((held) =>
          [100, 1000].map((count) => `node/${endpoint}/direct/wrk/${held}/${count}`),
        ),
        `node/${endpoint}/direct/k6/keep-alive/50@60%`,
      ]),
    );
  });
});

describe('a journal, condensed', () => {
  it('has a line for a trial alone, with the figures that the product has', () => {
    expect(condensed([header, trial({ startedNs: 7e9 }), ended(1)], { run: 3, roundsBefore: 20 })).toEqual([
      {
        run: 3,
        round: 21,
        case: WRK,
        trial: 1,
        pair: null,
        mode: 'solo',
        variant: 'candidate',
        startedNs: 0,
        durationNs: 10_020_000_000,
        rate: null,
        requests: 50_000,
        outcomeSeconds: 10,
        cpuUs: 9_900_000,
        databaseUs: 2_900_000,
        cpuShare: null,
        busyShare: 0.98802,
        throughput: 5000,
        p50: 19,
        p90: 30,
        p99: 60,
        peakBytes: 30_000_000,
        settledBytes: 20_000_000,
        valid: true,
      },
    ]);
  });

  it('tells of a duet what each side had of the CPU, its throughput in the overlap alone', () => {
    const cpu = { ...healthyTrial().cpu, windowNs: 2e9, serviceNs: 1e9, databaseNs: 0, busyNs: 2e9 };
    const duet = {
      overlapNs: 1.8e9,
      ownNs: 9e8,
      partnerNs: 9e8,
      idleNs: 0,
      partnerWindowNs: 1e9,
      partnerGeneratorNs: 0,
    };
    const outcome = { ...healthyTrial().outcome!, requests: 10_000, durationSeconds: 2 };
    const entries = [header, trial({ mode: 'duet', pair: 4, cpu, duet, outcome }), ended(1)];
    expect(condensed(entries, { run: 1, roundsBefore: 0 })).toMatchObject([
      { mode: 'duet', pair: 4, requests: 10_000, throughput: 5000, cpuUs: 1_000_000, cpuShare: 0.5, busyShare: 1 },
    ]);
  });

  it('counts the lead-in of k6 among the requests that the CPU time was spent on', () => {
    const outcome = { ...healthyTrial().outcome!, tool: 'k6' as const, requests: 30_000, leadInRequests: 10_000 };
    const entries = [header, trial({ rate: 10_000, outcome }), ended(1)];
    expect(condensed(entries, { run: 1, roundsBefore: 0 })).toMatchObject([{ rate: 10_000, requests: 40_000 }]);
  });

  it('tells what background threads did not use, where the main threads do most of the work', () => {
    const used = { ...healthyTrial().cpu, serviceNs: 1e9, databaseNs: 5e8 };
    const own = (mainThreadsNs: number) =>
      condensed([header, trial({ cpu: { ...used, mainThreadsNs } }), ended(1)], { run: 1, roundsBefore: 0 });
    expect(own(9e8)).toMatchObject([{ cpuUs: 1_500_000, withoutBackgroundUs: 1_400_000 }]);
    expect(own(4e8)[0]).not.toHaveProperty('withoutBackgroundUs');
  });

  it('marks a trial that is no measurement', () => {
    const outcome = { ...healthyTrial().outcome!, errors: { status: 40_000 } };
    expect(condensed([header, trial({ outcome }), ended(1)], { run: 1, roundsBefore: 0 })).toMatchObject([
      { valid: false },
    ]);
  });

  it('leaves out the round that was under way when the run ended, and counts on from those before', () => {
    const entries = [header, trial(), ended(1), trial({ round: 3 }), ended(3), trial({ round: 4 })];
    expect(condensed(entries, { run: 2, roundsBefore: 8 }).map(({ round }) => round)).toEqual([9, 10]);
  });
});
