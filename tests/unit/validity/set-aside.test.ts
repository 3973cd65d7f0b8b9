import { describe, expect, it } from 'vitest';
import type { TrialMeasurement } from '../../../src/core/measurement/measurement.ts';
import {
  caseReasons,
  failedAlone,
  isSpoilt,
  setAside,
  setAsideWarnings,
} from '../../../src/core/validity/set-aside.ts';
import { healthyTrial, testCase } from '../support/trials.ts';

const k6Case = testCase({
  generator: 'k6',
  load: {
    generator: 'k6',
    arrival: { kind: 'share', shareOfCapacity: 0.6 },
    durationSeconds: 10,
    timeoutSeconds: 2,
    script: null,
  },
});

function duet(pair: number, changes: Partial<TrialMeasurement> = {}): TrialMeasurement[] {
  const duetReadings = {
    overlapNs: 10_000_000_000,
    ownNs: 4_900_000_000,
    partnerNs: 4_900_000_000,
    idleNs: 0,
    partnerWindowNs: 0,
    partnerGeneratorNs: 0,
  };
  return (['baseline', 'candidate'] as const).map((variant) =>
    healthyTrial({ variant, pair, mode: 'duet', duet: duetReadings, ...(variant === 'candidate' ? changes : {}) }),
  );
}

/** Sends a tenth less than it was told to. */
const notHeld = { rate: 5600 };
/** The same while others took a fifth of the CPU. */
const disturbed = { ...notHeld, cpu: { ...healthyTrial().cpu, serviceNs: 5_000_000_000 } };
const aside = (trials: TrialMeasurement[]) => setAside(trials, k6Case).map(({ pair, variant }) => `${pair} ${variant}`);

describe('duets that are set aside', () => {
  it('are those that one side could not hold the rate in: both sides of the pair', () => {
    expect(aside([...duet(1), ...duet(2, notHeld), ...duet(3), ...duet(4)])).toEqual(['2 baseline', '2 candidate']);
  });

  it('are none where more than a quarter is troubled and nothing disturbed them: that is the service', () => {
    expect(aside([...duet(1), ...duet(2, notHeld), ...duet(3, notHeld), ...duet(4)])).toEqual([]);
  });

  it('may be more than a quarter where others took the CPU', () => {
    expect(aside([...duet(1), ...duet(2, disturbed), ...duet(3, disturbed)])).toHaveLength(4);
  });

  it('are never all of them', () => {
    expect(aside([...duet(1, disturbed), ...duet(2, disturbed)])).toEqual([]);
  });

  it('are not those that the service spoilt: they make the case invalid', () => {
    const crashed = { testbedFailure: { code: 'exited', message: 'gone' } };
    expect(aside([...duet(1), ...duet(2, crashed), ...duet(3), ...duet(4), ...duet(5)])).toEqual([]);
  });

  it('are those in which neither side was answered, not those in which one side alone was not', () => {
    const outcome = { ...healthyTrial().outcome!, requests: 0 };
    const silent = duet(2).map((trial) => ({ ...trial, outcome }));
    expect(aside([...duet(1), ...silent, ...duet(3), ...duet(4)])).toEqual(['2 baseline', '2 candidate']);
    expect(aside([...duet(1), ...duet(2, { outcome }), ...duet(3), ...duet(4)])).toEqual([]);
    expect(aside([...duet(1), ...silent.slice(1), ...duet(3), ...duet(4)])).toEqual([]);
  });

  it('never are the trials of the published figures, nor those of a run on its own', () => {
    expect(aside([healthyTrial({ ...notHeld, pair: 1, round: 0 }), ...duet(2), ...duet(3)])).toEqual([]);
    expect(aside([healthyTrial(notHeld), healthyTrial(), healthyTrial()])).toEqual([]);
  });

  it('are reported as a warning of the variant', () => {
    expect(setAsideWarnings(duet(1), 'candidate', 7, 0)).toEqual([
      {
        code: 'duets-set-aside',
        message: '1 of 8 trials were set aside: the machine, not the service, disturbed their duets',
      },
    ]);
    expect(setAsideWarnings([], 'candidate', 7, 0)).toEqual([]);
  });
});

describe('duets that one side alone spoilt', () => {
  const alone = (trials: TrialMeasurement[]) =>
    (['baseline', 'candidate'] as const).map((variant) => failedAlone(trials, k6Case, variant));

  it('are counted of that side', () => {
    expect(alone([...duet(1, notHeld), ...duet(2, notHeld)])).toEqual([0, 2]);
  });

  it('are not those that others disturbed, nor those in which both failed', () => {
    const both = duet(2).map((trial) => ({ ...trial, ...notHeld }));
    expect(alone([...duet(1, disturbed), ...both])).toEqual([0, 0]);
  });

  it('are said to be so, and not put down to the machine', () => {
    expect(setAsideWarnings([...duet(1), ...duet(2)], 'candidate', 6, 1)[0]!.message).toBe(
      '2 of 8 trials were set aside: their duets were disturbed, 1 of them on this side alone',
    );
  });
});

describe('pairs in turn that are set aside', () => {
  const inTurn = (pair: number, changes: Partial<TrialMeasurement> = {}) => [
    healthyTrial({ variant: 'baseline', pair }),
    healthyTrial({ pair, ...changes }),
  ];

  it('are as many as of duets', () => {
    expect(aside([...inTurn(1), ...inTurn(2, disturbed), ...inTurn(3)])).toEqual(['2 baseline', '2 candidate']);
    expect(aside([...inTurn(1), ...inTurn(2, notHeld), ...inTurn(3, notHeld), ...inTurn(4)])).toEqual([]);
  });

  it('are counted apart from duets of the same case', () => {
    expect(aside([...inTurn(1, notHeld), ...duet(2), ...duet(3), ...duet(4), ...duet(5)])).toEqual([]);
  });

  it('are none in which neither side was answered: a machine does not stall twice at such moments', () => {
    const outcome = { ...healthyTrial().outcome!, requests: 0 };
    const silent = inTurn(2).map((trial) => ({ ...trial, outcome }));
    expect(aside([...inTurn(1), ...silent, ...inTurn(3), ...inTurn(4)])).toEqual([]);
  });

  it('are told of as such', () => {
    expect(setAsideWarnings(inTurn(1), 'candidate', 7, 0)[0]!.message).toBe(
      '1 of 8 trials were set aside: the machine, not the service, disturbed their pairs',
    );
  });
});

describe('the reasons of a case', () => {
  const codes = (trials: TrialMeasurement[]) => {
    const { reasons, warnings } = caseReasons(trials.map((trial) => ({ trial, case: k6Case, pass: null })));
    return { reasons: reasons.map(({ code }) => code), warnings: warnings.map(({ code }) => code) };
  };

  it('do not hold a rate against it that only the trial alone could not hold, where duets are judged', () => {
    expect(codes([healthyTrial(notHeld), ...duet(1)])).toEqual({ reasons: [], warnings: ['rate-not-held'] });
  });

  it('do not either where pairs in turn are judged', () => {
    expect(codes([healthyTrial({ ...notHeld, pair: 1, round: 0 }), healthyTrial({ pair: 1001 })])).toEqual({
      reasons: [],
      warnings: ['rate-not-held'],
    });
    expect(codes([healthyTrial({ pair: 1, round: 0 }), healthyTrial({ ...notHeld, pair: 1001 })]).reasons).toEqual([
      'rate-not-held',
    ]);
  });

  it('do not hold it against it that one trial had an error, where all of them together have no more than is let pass', () => {
    const erring = (errors: number) => ({
      outcome: { ...healthyTrial().outcome!, requests: 500, errors: { timeout: errors } },
    });
    const many = [2, 3, 4].flatMap((pair) => duet(pair));
    expect(codes([...duet(1, erring(1)), ...many])).toEqual({ reasons: [], warnings: ['few-errors'] });
    expect(codes(duet(1, erring(1))).reasons).toEqual([]);
    expect(codes([...duet(1, erring(400)), ...many])).toEqual({ reasons: ['errors'], warnings: [] });
  });

  it('hold it against it that the trial alone was not answered at all', () => {
    const silent = healthyTrial({ outcome: { ...healthyTrial().outcome!, requests: 0 } });
    expect(codes([silent, ...duet(1)])).toEqual({ reasons: ['no-answer'], warnings: [] });
  });

  it('do where there is no duet', () => {
    expect(codes([healthyTrial(notHeld)])).toEqual({ reasons: ['rate-not-held'], warnings: [] });
  });

  it('hold everything else against it, alone or not', () => {
    const wrong = healthyTrial({ differencesAfter: ['status is 500, expected 200'] });
    expect(codes([wrong, ...duet(1)])).toEqual({ reasons: ['unexpected-body'], warnings: [] });
  });
});

describe('a trial alone that is worth another try', () => {
  const spoilt = (changes: Partial<TrialMeasurement>) => isSpoilt(healthyTrial(changes), k6Case);

  it('is one in which others took the CPU that the rate needed, or somebody set the clock', () => {
    expect(spoilt(disturbed)).toBe(true);
    expect(spoilt({ clockStepMs: 5000 })).toBe(true);
  });

  it('is not one that could not hold its rate undisturbed, and not one whose generator failed', () => {
    expect(spoilt(notHeld)).toBe(false);
    expect(spoilt({ ...disturbed, rate: null, outcome: null, generatorFailure: 'it was killed' })).toBe(false);
  });
});
