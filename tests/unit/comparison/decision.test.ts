import { describe, expect, it } from 'vitest';
import {
  type Decision,
  decisionOn,
  decisionsOn,
  FAMILY_ERROR_RATE,
  type Hypothesis,
  NO_CHANGE_ERROR_RATE,
} from '../../../src/core/comparison/decision.ts';
import type { RatioEstimate } from '../../../src/core/comparison/estimates.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { studentQuantile } from '../../../src/core/statistics/student.ts';
import { normal } from '../../support/made-up/samples.ts';

/** Scatter with a mean of 0 and a standard deviation of 1 %, over eight rounds, of which none says anything of the next. */
const EIGHT = [0.0131, -0.0131, 0.0066, -0.0066, 0.0066, -0.0066, 0.0098, -0.0098];

interface Given extends Partial<Omit<Hypothesis, 'groups'>> {
  scatter?: readonly number[];
}

function hypothesis(id: string, change: number, { scatter = EIGHT, ...rest }: Given = {}): Hypothesis {
  const values = scatter.map((off, index) => ({ round: index + 1, value: Math.log1p(change) + off }));
  return {
    id,
    level: 'endpoint',
    metric: 'cpu-per-request',
    groups: [[{ values, weight: 1 }]],
    threshold: Math.log1p(0.03),
    share: 0.25,
    after: null,
    ...rest,
  };
}

const scattered = (seed: number, rounds: number, deviation = 0.01) => {
  const random = seededRandom(seed);
  return Array.from({ length: rounds }, () => deviation * normal(random));
};

const verdicts = (decisions: readonly Decision[]) => decisions.map(({ id, verdict }) => [id, verdict]);
const final = (rounds: number) => ({ rounds, final: true });

describe('a decision', () => {
  const T = 0.03;
  /** Of a mean with a standard error of 0.001 and many degrees of freedom: ends lie 2.6 to 3.3 thousandths from it. */
  const estimate = (mean: number, given: Partial<Hypothesis> = {}): RatioEstimate => ({
    hypothesis: hypothesis('a', 0, { threshold: T, ...given }),
    mean,
    standardError: 0.001,
    degreesOfFreedom: 1e6,
    count: 20,
    skewness: 0,
  });
  const levels = { change: 0.0005, noChange: 0.005 };
  const decide = (mean: number, given: Partial<Hypothesis> = {}, mayBeRed = true) =>
    decisionOn(estimate(mean, given), levels, { rounds: 20, mayBeRed });

  it.each([
    ['regression', 'the low end lies above the limit', T + 0.0034],
    ['inconclusive', 'the low end lies just below it', T + 0.0032],
    ['inconclusive', 'the limit lies inside', T],
    ['inconclusive', 'the high end lies just above it', T - 0.0025],
    ['no-change', 'the high end lies below it', T - 0.0027],
    ['no-change', 'nothing changed', 0],
    ['no-change', 'it gained something', -T],
    ['no-change', 'it gained just less than shows an improvement', -T - 0.0032],
    ['improvement', 'the high end lies below the limit the other way', -T - 0.0034],
  ])('is %s where %s', (verdict, _, mean) => {
    const decision = decide(mean);
    expect(decision.verdict).toBe(verdict);
    expect(decision.decidedAt).toBe(verdict === 'inconclusive' ? null : 20);
  });

  it('shows the ends that it rests on: an improvement at the level of a change, no change at its own', () => {
    const [t99995, t995] = [3.2905, 2.5758];
    expect(decide(T).adjusted!.map((end) => (end - T) * 1000)).toEqual([
      expect.closeTo(-t99995, 3),
      expect.closeTo(t995, 3),
    ]);
    const better = decide(-2 * T).adjusted!;
    expect((better[1] + 2 * T) * 1000).toBeCloseTo(t99995, 3);
  });

  it('has a marginal interval of 99 % whatever the levels are', () => {
    expect(decide(0).interval!.map((end) => end * 1000)).toEqual([
      expect.closeTo(-2.5758, 3),
      expect.closeTo(2.5758, 3),
    ]);
  });

  it('leans to red where the lower end of its own 95 % interval is above the limit, whatever the levels are', () => {
    expect([T + 1.97 / 1000, T + 1.95 / 1000].map((mean) => decide(mean).leansToRed)).toEqual([true, false]);
  });

  it('calls an improvement by its own border, where that is another one', () => {
    expect(decide(-0.1, { improvement: 0.2 }).verdict).toBe('no-change');
    expect(decide(-0.1, { improvement: 0.05 }).verdict).toBe('improvement');
  });

  it('is never no change at a limit of 0 where nothing changed', () => {
    expect(decide(0, { threshold: 0 }).verdict).toBe('inconclusive');
    expect(decide(0.0034, { threshold: 0 }).verdict).toBe('regression');
  });

  it('is open where a regression has to wait for another one, and free to be anything else', () => {
    expect(decide(0.1, {}, false)).toMatchObject({ verdict: 'inconclusive', decidedAt: null });
    expect(decide(0, {}, false).verdict).toBe('no-change');
    expect(decide(-0.1, {}, false).verdict).toBe('improvement');
  });

  it('tells the smallest change that another run like it would call', () => {
    // (t + z(0.9)) standard errors above the limit, as degrees of freedom are many.
    expect((decide(0).minimumDetectable! - T) * 1000).toBeCloseTo(3.2905 + 1.2816, 3);
  });
});

describe('before the first look', () => {
  it.each([1, 2, 5, 7])('nothing is decided with %d rounds, final or not, however large a change is', (rounds) => {
    for (const isFinal of [false, true]) {
      const [decision] = decisionsOn([hypothesis('up', 2, { scatter: EIGHT.slice(0, rounds) })], {
        rounds,
        final: isFinal,
      });
      expect(decision).toMatchObject({
        verdict: 'inconclusive',
        adjusted: null,
        minimumDetectable: null,
        leansToRed: rounds >= 6,
        rounds: rounds === 7 && !isFinal ? 6 : rounds,
        decidedAt: null,
      });
      expect(decision!.interval === null).toBe(rounds < 2);
    }
  });

  it('there is an estimate all the same, but for no round at all', () => {
    const [one, none] = decisionsOn(
      [hypothesis('one', 0.5, { scatter: [0] }), hypothesis('none', 0, { scatter: [] })],
      final(1),
    );
    expect(one!.estimate).toBeCloseTo(Math.log1p(0.5), 12);
    expect(none!.estimate).toBeNaN();
  });
});

describe('the look after six rounds', () => {
  const SIX = EIGHT.slice(0, 6);
  const atSix = (all: Hypothesis[]) => decisionsOn(all, { rounds: 6, final: false });
  const quiet = SIX.map((off) => off / 3);

  it('finds that nothing changed, with the interval of the first look that may find a change', () => {
    const [decision] = atSix([hypothesis('none', 0, { scatter: quiet })]);
    expect(decision).toMatchObject({ verdict: 'no-change', decidedAt: 6, rounds: 6, leansToRed: false });
    const { estimate, adjusted } = decision!;
    const [below, above] = [estimate - adjusted![0], adjusted![1] - estimate];
    const ofChange = (FAMILY_ERROR_RATE * 0.25) / 3;
    expect(below / above).toBeCloseTo(studentQuantile(1 - ofChange, 5) / studentQuantile(1 - 0.0125, 5), 10);
  });

  it.each([
    ['a regression, which a case may yet be waited for', 0.5, true],
    ['an improvement', -0.5, false],
    ['what leans towards an improvement', -0.04, false],
  ])('leaves open %s', (_, change, leansToRed) => {
    const [decision] = atSix([hypothesis('a', change, { scatter: quiet })]);
    expect(decision).toMatchObject({ verdict: 'inconclusive', adjusted: null, decidedAt: null, leansToRed });
  });

  it('leaves open what has a case that was measured in fewer rounds', () => {
    const { groups, ...rest } = hypothesis('service', 0, { scatter: quiet });
    const late = groups[0]![0]!.values.slice(2);
    const [both] = atSix([{ ...rest, groups: [...groups, [{ values: late, weight: 1 }]] }]);
    expect(both!.verdict).toBe('inconclusive');
    const [without] = atSix([{ ...rest, groups: [...groups, [{ values: [], weight: 1 }]] }]);
    expect(without!.verdict).toBe('no-change');
  });
});

describe('what was measured in few of the rounds', () => {
  const from = (first: number, count: number) => {
    const { groups, ...rest } = hypothesis('late', 2, { scatter: EIGHT.slice(0, count) });
    const values = groups[0]![0]!.values.map(({ value }, index) => ({ round: first + index, value }));
    return { ...rest, groups: [[{ values, weight: 1 }]] };
  };

  it.each([2, 5])('is not judged by %d of them, however large a change is, at a last look neither', (count) => {
    for (const rounds of [8, 12]) {
      const [decision] = decisionsOn([from(rounds - count + 1, count)], final(rounds));
      expect(decision).toMatchObject({
        verdict: 'inconclusive',
        adjusted: null,
        minimumDetectable: null,
        rounds: count,
      });
      expect(decision!.leansToRed).toBe(false);
    }
  });

  it('is judged by six: two of the first eight may have been set aside', () => {
    expect(decisionsOn([from(3, 6)], final(8))[0]).toMatchObject({ verdict: 'regression', rounds: 6, decidedAt: 8 });
  });

  it('is judged at the look by which it has as many', () => {
    const late = from(4, 8);
    expect(decisionsOn([late], { rounds: 8, final: false })[0]!.decidedAt).toBeNull();
    expect(decisionsOn([late], { rounds: 10, final: false })[0]).toMatchObject({ rounds: 7, decidedAt: 10 });
  });
});

describe('decisions of a run', () => {
  it('follow from where the interval lies', () => {
    const all = [hypothesis('up', 0.12), hypothesis('down', -0.12), hypothesis('none', 0), hypothesis('at', 0.03)];
    expect(verdicts(decisionsOn(all, final(8)))).toEqual([
      ['up', 'regression'],
      ['down', 'improvement'],
      ['none', 'no-change'],
      ['at', 'inconclusive'],
    ]);
  });

  it('ask more of a regression the smaller its share is, and the same of no change', () => {
    const at = (share: number) => decisionsOn([hypothesis('a', 0.03, { share })], final(8))[0]!.adjusted!;
    expect(at(0.01)[0]).toBeLessThan(at(1)[0]);
    expect(at(0.01)[1]).toBe(at(1)[1]);
  });

  it('say no change with an error of 2.5 % for each, of which a last look after 8 rounds has 21/40, and a change with one of 0.5 % for all', () => {
    expect(NO_CHANGE_ERROR_RATE).toBe(0.025);
    expect(FAMILY_ERROR_RATE).toBe(0.005);
    const { estimate, adjusted } = decisionsOn([hypothesis('a', 0.03, { share: 1 })], final(8))[0]!;
    const [below, above] = [estimate - adjusted![0], adjusted![1] - estimate];
    expect(below / above).toBeCloseTo(studentQuantile(1 - 0.005, 7) / studentQuantile(1 - 0.013125, 7), 10);
  });

  it('trust rounds that agree to the last digit no further than a machine can', () => {
    const [same] = decisionsOn([hypothesis('same', 0, { scatter: new Array(8).fill(0), threshold: 0 })], final(8));
    expect(same).toMatchObject({ verdict: 'inconclusive', estimate: 0 });
    expect(same!.adjusted![1]).toBeCloseTo((5e-4 / Math.sqrt(8)) * studentQuantile(1 - 0.013125, 7), 10);
  });

  it('are told of less the more rounds there are', () => {
    const detectable = (rounds: number) =>
      decisionsOn([hypothesis('a', 0.03, { scatter: scattered(2, rounds) })], final(rounds))[0]!.minimumDetectable!;
    expect(detectable(40)).toBeLessThan(detectable(12));
    expect(detectable(40)).toBeGreaterThan(Math.log1p(0.03));
  });
});

describe('looking often', () => {
  it('keeps what was decided, with the data of that look', () => {
    const all = [
      hypothesis('early', 0.2, { scatter: scattered(4, 20) }),
      hypothesis('late', 0.035, { scatter: scattered(5, 20) }),
    ];
    const [atFirst] = decisionsOn(all, { rounds: 8, final: false });
    const decisions = decisionsOn(all, final(20));
    expect(atFirst).toMatchObject({ verdict: 'regression', decidedAt: 8, rounds: 8 });
    expect(decisions[0]).toEqual(atFirst);
    expect(decisions[1]).toMatchObject({ rounds: 20 });
  });

  it('keeps no change as well, whatever comes after it', () => {
    const scatter = [...scattered(6, 8, 0.002), ...new Array(12).fill(0.2)];
    const [decision] = decisionsOn([hypothesis('a', 0, { scatter })], final(20));
    expect(decision).toMatchObject({ verdict: 'no-change', decidedAt: 6 });
  });

  it('does not need the data that were not measured once it was decided', () => {
    const whole = hypothesis('early', 0.2, { scatter: scattered(4, 16) });
    const stopped = hypothesis('early', 0.2, { scatter: scattered(4, 16).slice(0, 8) });
    const other = hypothesis('late', 0.03, { scatter: scattered(6, 16) });
    expect(decisionsOn([stopped, other], final(16))[0]).toEqual(decisionsOn([whole, other], final(16))[0]);
  });

  it('between looks says what the last one said', () => {
    const all = [3, 4, 5].map((seed) => hypothesis(`${seed}`, 0.03, { scatter: scattered(seed, 15) }));
    const at = (rounds: number) => decisionsOn(all, { rounds, final: false });
    expect(at(15)).toEqual(at(12));
    expect(at(12)).not.toEqual(at(8));
  });

  it('gives a verdict at the end that an early look with a part of the error rate could not', () => {
    const all = [hypothesis('a', 0.05)];
    expect(verdicts([...decisionsOn(all, { rounds: 8, final: false }), ...decisionsOn(all, final(8))])).toEqual([
      ['a', 'inconclusive'],
      ['a', 'regression'],
    ]);
  });
});

describe('a hypothesis that comes after another one', () => {
  const chain = (first: number, second: number, rounds = 8) => [
    hypothesis('second', second, { after: 'first', scatter: scattered(1, rounds) }),
    hypothesis('first', first, { scatter: scattered(2, rounds) }),
  ];

  it('is a regression at the same look, in whatever order they are given', () => {
    expect(verdicts(decisionsOn(chain(0.2, 0.2), final(8)))).toEqual([
      ['second', 'regression'],
      ['first', 'regression'],
    ]);
  });

  it('is none as long as the first one is none', () => {
    expect(verdicts(decisionsOn(chain(0.03, 0.2), final(8)))).toEqual([
      ['second', 'inconclusive'],
      ['first', 'inconclusive'],
    ]);
    expect(verdicts(decisionsOn(chain(0, 0.2), final(8)))).toEqual([
      ['second', 'inconclusive'],
      ['first', 'no-change'],
    ]);
  });

  it('is no change or better without it', () => {
    expect(verdicts(decisionsOn(chain(0.03, 0), final(8)))[0]).toEqual(['second', 'no-change']);
    expect(verdicts(decisionsOn(chain(0.03, -0.2), final(8)))[0]).toEqual(['second', 'improvement']);
  });

  it('may be a regression at a later look, once the first one was', () => {
    const first = hypothesis('first', 0.2, { scatter: scattered(2, 28) });
    const second = hypothesis('second', 0.045, { after: 'first', scatter: scattered(1, 28) });
    const decisions = decisionsOn([first, second], final(28));
    expect(decisions[0]!.decidedAt).toBe(8);
    expect(decisions[1]!.verdict).toBe('regression');
    expect(decisions[1]!.decidedAt).toBeGreaterThan(8);
  });
});
