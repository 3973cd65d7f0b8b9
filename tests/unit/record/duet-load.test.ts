import { describe, expect, it } from 'vitest';
import { duetLoad } from '../../../src/core/record/duet-load.ts';
import { healthyTrial } from '../support/trials.ts';

const SECOND = 1_000_000_000;
const cpu = {
  ...healthyTrial().cpu,
  windowNs: 2 * SECOND,
  serviceNs: 0.9 * SECOND,
  databaseNs: 0,
  busyNs: 1.9 * SECOND,
};

describe('how the sides of a duet competed', () => {
  it('is the share of this side, and how much of the CPU was not idle', () => {
    const duet = {
      overlapNs: 2 * SECOND,
      ownNs: 0.9 * SECOND,
      partnerNs: 1 * SECOND,
      idleNs: 0.1 * SECOND,
      partnerWindowNs: 1 * SECOND,
      partnerGeneratorNs: 0,
    };
    const load = duetLoad([healthyTrial({ cpu, duet })]).duet!;
    expect(load.cpuShare).toBeCloseTo(0.9 / 1.9, 9);
    expect(load.busyShare).toBeCloseTo(0.95, 9);
  });

  it('takes for busy what others used as well: the sides wanted more than they got', () => {
    const duet = {
      overlapNs: 2 * SECOND,
      ownNs: 0.5 * SECOND,
      partnerNs: 0.5 * SECOND,
      idleNs: 0,
      partnerWindowNs: 0.5 * SECOND,
      partnerGeneratorNs: 0,
    };
    expect(duetLoad([healthyTrial({ cpu, duet })]).duet).toEqual({ cpuShare: 0.5, busyShare: 1 });
  });

  it('is settled by the duets up to the first look, so that what was decided of it stays decided', () => {
    const trial = (round: number, own: number) =>
      healthyTrial({
        round,
        cpu,
        duet: {
          overlapNs: 2 * SECOND,
          ownNs: own * SECOND,
          partnerNs: (1 - own) * SECOND,
          idleNs: 0,
          partnerWindowNs: SECOND,
          partnerGeneratorNs: 0,
        },
      });
    const first = [1, 2, 3, 4, 5].map((round) => trial(round, 0.519));
    const later = [6, 7, 8, 9, 10, 11].map((round) => trial(round, 0.525));
    expect(duetLoad([...first, ...later]).duet!.cpuShare).toBeCloseTo((5 * 0.519 + 3 * 0.525) / 8, 9);
    expect(duetLoad(later).duet!.cpuShare).toBeCloseTo(0.525, 9);
  });

  it('says how far the share may be off by chance, where there are two duets or more', () => {
    const trial = (own: number) =>
      healthyTrial({
        cpu,
        duet: {
          overlapNs: 2 * SECOND,
          ownNs: own * SECOND,
          partnerNs: (1 - own) * SECOND,
          idleNs: 0,
          partnerWindowNs: SECOND,
          partnerGeneratorNs: 0,
        },
      });
    expect(duetLoad([trial(0.5)]).duet).not.toHaveProperty('cpuShareError');
    // A standard deviation of 0.01 of four.
    const shares = [0.49, 0.49, 0.51, 0.51].map((own) => 0.5 + (own - 0.5) * Math.sqrt(3 / 4));
    expect(duetLoad(shares.map(trial)).duet!.cpuShareError).toBeCloseTo(0.01 / 2, 12);
  });

  it('is nothing without a duet', () => {
    expect(duetLoad([healthyTrial()])).toEqual({});
  });
});
