import { describe, expect, it } from 'vitest';
import { repetitionOf } from '../../../src/app/measuring/side-by-side/duet-rate.ts';
import type { Case } from '../../../src/core/config/case.ts';
import type { TrialMeasurement } from '../../../src/core/measurement/measurement.ts';
import { healthyTrial, testCase } from '../support/trials.ts';

const k6 = (arrival: object): Case =>
  testCase({
    generator: 'k6',
    connections: 50,
    load: { generator: 'k6', arrival, durationSeconds: 10, timeoutSeconds: 10, script: null } as Case['load'],
  });
const SHARE = k6({ kind: 'share', shareOfCapacity: 0.6 });

/** Of one side of a duet of 10 s at 1000/s; `dropped` of its requests were not sent, and so many of the server's CPUs were busy. */
const side = (busyShare: number, dropped = 0, changes: Partial<TrialMeasurement> = {}): TrialMeasurement => {
  const healthy = healthyTrial();
  return healthyTrial({
    rate: 1000,
    mode: 'duet',
    outcome: { ...healthy.outcome!, tool: 'k6', requests: 10_000 - dropped, droppedIterations: dropped },
    duet: {
      ...{ overlapNs: 10e9, ownNs: 3e9, partnerNs: 3e9, idleNs: (1 - busyShare) * 10e9 },
      ...{ partnerWindowNs: 3e9, partnerGeneratorNs: 1e9 },
    },
    ...changes,
  });
};
const duet = (busyShare: number, dropped: [number, number] = [0, 0]) => dropped.map((each) => side(busyShare, each));

describe('a duet at a fixed rate', () => {
  it('stands where both hold it and the CPUs are about as busy as was meant', () => {
    expect(repetitionOf(duet(0.6), SHARE, 1000, 0)).toBeNull();
    expect(repetitionOf(duet(0.7), SHARE, 1000, 0)).toBeNull();
  });

  it('is measured again at the rate at which they would be, where they are busier by more than 10 points', () => {
    expect(repetitionOf(duet(0.8), SHARE, 1000, 0)).toEqual({ why: 'busy', rate: 750 });
    expect(repetitionOf(duet(1), SHARE, 1000, 3)).toEqual({ why: 'busy', rate: 600 });
  });

  it.each(['busyNs', 'stealNs'] as const)('stands where it was others that kept them busy (%s)', (taken) => {
    const share = 0.35;
    const beside = duet(0.95).map((each) => {
      const ours = each.cpu.serviceNs + each.cpu.databaseNs + each.cpu.gatewayNs + each.duet!.partnerWindowNs;
      const was = taken === 'busyNs' ? ours : 0;
      return { ...each, cpu: { ...each.cpu, busyNs: ours, stealNs: 0, [taken]: was + share * each.cpu.windowNs } };
    });
    expect(repetitionOf(beside, SHARE, 1000, 0)).toBeNull();
    // And counts only where there is no doubt of it.
    const hardly = beside.map((each) => ({ ...each, cpu: { ...each.cpu, stealNs: 0, busyNs: 0 } }));
    expect(repetitionOf(hardly, SHARE, 1000, 0)).toEqual({ why: 'busy', rate: 632 });
  });

  it('may use as much of them as the spec asks for, and 70 % where it names a rate', () => {
    expect(repetitionOf(duet(1), k6({ kind: 'share', shareOfCapacity: 0.9 }), 1000, 0)).toBeNull();
    const named = k6({ kind: 'rate', requestsPerSecond: 1000 });
    expect(repetitionOf(duet(0.79), named, 1000, 0)).toBeNull();
    expect(repetitionOf(duet(0.875), named, 1000, 0)).toEqual({ why: 'busy', rate: 800 });
  });

  it('counts all CPUs of the servers together: eight seconds of four are a fifth of them', () => {
    const [one, four] = [1, 4].map((serverCpuCount) =>
      duet(0.2).map((each) => ({ ...each, cpu: { ...each.cpu, serverCpuCount } })),
    );
    expect(repetitionOf(one!, SHARE, 1000, 0)).toBeNull();
    expect(repetitionOf(four!, SHARE, 1000, 0)).toEqual({ why: 'busy', rate: 750 });
  });

  it('is sent once more where neither side holds it, and then at three quarters', () => {
    expect(repetitionOf(duet(0.6, [900, 900]), SHARE, 1000, 0)).toEqual({ why: 'not held', rate: 1000 });
    expect(repetitionOf(duet(0.6, [900, 900]), SHARE, 1000, 1)).toEqual({ why: 'not held', rate: 750 });
  });

  it('stands where one side holds it and the other does not, however busy: that is what is to be found', () => {
    expect(repetitionOf(duet(0.95, [0, 900]), SHARE, 1000, 0)).toBeNull();
  });

  it('stands where a side fell over', () => {
    const fallen = side(1, 0, { testbedFailure: { code: 'exited', message: 'gone' } });
    expect(repetitionOf([side(1), fallen], SHARE, 1000, 0)).toBeNull();
  });

  it('is measured again four times at the most, and never at less than a request per second', () => {
    expect(repetitionOf(duet(1), SHARE, 1000, 4)).toBeNull();
    expect(repetitionOf(duet(1), SHARE, 1, 0)).toEqual({ why: 'busy', rate: 1 });
  });
});
