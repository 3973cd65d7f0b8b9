import { describe, expect, it } from 'vitest';
import { type Answer, answersTo, type Question } from '../../../src/core/comparison/decision.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';

/** Scatter with a mean of 0 and a standard deviation of 1 %, over five instances. */
const FIVE = [-0.0142, -0.0005, 0.0018, 0.0042, 0.0087];

function question(id: string, change: number, given: Partial<Question> & { scatter?: number[] } = {}): Question {
  const { scatter = FIVE, ...rest } = given;
  const logRatios = scatter.map((off, index) => ({ instance: index + 1, value: Math.log1p(change) + off }));
  return { id, group: 'cpu', threshold: Math.log1p(0.03), logRatios, ...rest };
}

const scattered = (seed: number, instances: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: instances }, () => (random.next() + random.next() + random.next() - 1.5) / 50);
};

const verdicts = (answers: readonly Answer[]) => answers.map(({ id, verdict }) => [id, verdict]);
const four = (change: number) => ['a', 'b', 'c', 'd'].map((id) => question(id, change));

describe('the answer to a question', () => {
  it('follows from where the adjusted interval lies against the threshold, either way', () => {
    const questions = [question('up', 0.12), question('down', -0.12), question('none', 0), question('at', 0.03)];
    const answers = answersTo(questions, { instances: 5, final: true });
    expect(verdicts(answers)).toEqual([
      ['up', 'regression'],
      ['down', 'improvement'],
      ['none', 'no-change'],
      ['at', 'inconclusive'],
    ]);
    const [up, down, none, at] = answers;
    expect(up!.adjusted![0]).toBeGreaterThan(Math.log1p(0.03));
    expect(down!.adjusted![1]).toBeLessThan(-Math.log1p(0.03));
    expect(Math.max(...none!.adjusted!.map(Math.abs))).toBeLessThan(Math.log1p(0.03));
    expect(at!.adjusted![0]).toBeLessThan(Math.log1p(0.03));
    expect(up).toMatchObject({ instances: 5, decidedAt: 5, estimate: expect.closeTo(Math.log1p(0.12), 12) });
    expect(at!.decidedAt).toBeNull();
  });

  it('is no-change where the interval lies inside the threshold, and never so at a threshold of 0', () => {
    const wide = Math.log1p(0.1);
    const answers = answersTo([question('wide', 0, { threshold: wide }), question('zero', 0, { threshold: 0 })], {
      instances: 5,
      final: true,
    });
    expect(verdicts(answers)).toEqual([
      ['wide', 'no-change'],
      ['zero', 'inconclusive'],
    ]);
    expect(Math.max(...answers[0]!.adjusted!.map(Math.abs))).toBeLessThan(wide);
  });

  it('calls an improvement by its own border, where that is another one', () => {
    const near = question('near', -0.12, { threshold: Math.log1p(0.03), improvement: 0.2 });
    expect(answersTo([near], { instances: 5, final: true })[0]!.verdict).toBe('no-change');
  });

  it('is inconclusive before the first look and with one instance, and has no adjusted interval', () => {
    const [early] = answersTo([question('up', 0.5)], { instances: 4, final: false });
    expect(early).toMatchObject({ verdict: 'inconclusive', adjusted: null, instances: 4, decidedAt: null });
    expect(early!.interval).not.toBeNull();
    const [single] = answersTo([question('up', 0.5, { scatter: [0] })], { instances: 1, final: true });
    expect(single).toEqual({
      id: 'up',
      estimate: Math.log1p(0.5),
      interval: null,
      adjusted: null,
      minimumDetectable: null,
      verdict: 'inconclusive',
      instances: 1,
      decidedAt: null,
    });
  });

  it('has no estimate without an instance, and leaves out what is no number', () => {
    const answers = answersTo(
      [question('none', 0, { scatter: [] }), question('broken', 0, { scatter: [0.01, Number.NaN, -Infinity] })],
      { instances: 3, final: true },
    );
    expect(answers.map(({ estimate, instances }) => [estimate, instances])).toEqual([
      [Number.NaN, 0],
      [0.01, 1],
    ]);
  });

  it('trusts instances that agree to the last digit no further than a machine can', () => {
    const [same] = answersTo([question('same', 0, { scatter: [0, 0, 0, 0, 0], threshold: 0 })], {
      instances: 5,
      final: true,
    });
    expect(same).toMatchObject({ verdict: 'inconclusive', estimate: 0 });
    expect(same!.adjusted![1]).toBeGreaterThan(0.001);
  });

  it('can end a budget of three instances with a verdict where the change is large', () => {
    const scatter = [-0.004, 0.001, 0.003];
    const answers = answersTo([question('a', 0.5, { scatter }), question('b', 0.02, { scatter })], {
      instances: 3,
      final: true,
    });
    expect(verdicts(answers)).toEqual([
      ['a', 'regression'],
      ['b', 'inconclusive'],
    ]);
  });
});

describe('a wild instance', () => {
  it('does not hide a change that the others agree on', () => {
    const scatter = [0.3, ...scattered(4, 9)];
    const [answer] = answersTo([question('steady', 0.08, { scatter })], { instances: 10, final: true });
    expect(answer).toMatchObject({ verdict: 'regression' });
    expect(Math.abs(answer!.estimate - Math.log1p(0.08))).toBeLessThan(0.015);
  });
});

describe('a matrix of questions', () => {
  it('asks more of each than a single question would', () => {
    const width = ({ adjusted }: Answer) => adjusted![1] - adjusted![0];
    const apart = (ids: string[]) => ids.map((id) => question(id, 0.02, { group: id }));
    const [alone] = answersTo(apart(['a']), { instances: 5, final: true });
    const [amongMany] = answersTo(apart(['a', 'b', 'c', 'd', 'e', 'f']), { instances: 5, final: true });
    expect(width(amongMany!)).toBeGreaterThan(1.3 * width(alone!));
  });

  it('lets cases of one metric lend each other what they know of its scatter', () => {
    const apart = four(0.052).map((one) => ({ ...one, group: one.id }));
    const [together] = answersTo(four(0.052), { instances: 5, final: true });
    const [alone] = answersTo(apart, { instances: 5, final: true });
    expect(verdicts([together!, alone!])).toEqual([
      ['a', 'regression'],
      ['a', 'inconclusive'],
    ]);
  });

  it('lets those that are decided make room for the others', () => {
    const wide = { threshold: Math.log1p(0.1) };
    const steady = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => question(id, 0, wide));
    const [among] = answersTo([question('last', 0.05, { ...wide, group: 'own' }), ...steady], {
      instances: 5,
      final: true,
    });
    const unsteady = steady.map((one) => ({ ...one, threshold: 0 }));
    const [crowded] = answersTo([question('last', 0.05, { ...wide, group: 'own' }), ...unsteady], {
      instances: 5,
      final: true,
    });
    expect(among!.adjusted![1]).toBeLessThan(crowded!.adjusted![1]);
  });
});

describe('looking often', () => {
  it('keeps what was decided, with the data of that look', () => {
    const scatter = scattered(4, 14);
    const questions = [question('early', 0.2, { scatter }), question('late', 0.035, { scatter: scattered(5, 14) })];
    const [atFirst] = answersTo(questions, { instances: 5, final: false });
    const answers = answersTo(questions, { instances: 14, final: true });
    expect(atFirst).toMatchObject({ verdict: 'regression', decidedAt: 5 });
    expect(answers[0]).toEqual(atFirst);
    expect(answers[1]).toMatchObject({ instances: 14 });
  });

  it('does not need the data that were not measured once a case was decided', () => {
    const whole = question('early', 0.2, { scatter: scattered(4, 10) });
    const stopped = { ...whole, logRatios: whole.logRatios.slice(0, 5) };
    const other = question('late', 0.03, { scatter: scattered(6, 10) });
    const [early] = answersTo([stopped, other], { instances: 10, final: true });
    expect(early).toEqual(answersTo([whole, other], { instances: 10, final: true })[0]);
  });

  it('between looks says what the last one said', () => {
    const questions = four(0.035).map((one, index) => ({
      ...one,
      ...question(one.id, 0.035, { scatter: scattered(index, 9) }),
    }));
    const at = (instances: number) => answersTo(questions, { instances, final: false });
    expect(at(9)).toEqual(at(7));
    expect(at(7)).not.toEqual(at(5));
  });

  it('gives a verdict at the end that an early look with a part of the error rate could not', () => {
    const questions = four(0.052);
    const [open] = answersTo(questions, { instances: 5, final: false });
    const [closed] = answersTo(questions, { instances: 5, final: true });
    expect([open!.verdict, closed!.verdict]).toEqual(['inconclusive', 'regression']);
  });
});

describe('the smallest detectable change', () => {
  it('is larger than the threshold, and smaller with more instances', () => {
    const at = (instances: number) => {
      const questions = four(0.03).map((one, index) =>
        question(one.id, 0.03, { scatter: scattered(index, instances) }),
      );
      return answersTo(questions, { instances, final: true })[0]!.minimumDetectable!;
    };
    expect(at(20)).toBeGreaterThan(Math.log1p(0.03));
    expect(at(20)).toBeLessThan(at(5));
  });
});

describe('instances that agree by luck', () => {
  it('are no surer than their own pairs are', () => {
    const values = [0.0118, 0.0121, 0.012, 0.0119, 0.0122];
    const scattered = (value: number) => [value - 0.03, value, value + 0.01, value + 0.02];
    const question = { id: 'cpu', group: 'cpu', threshold: 0 };
    const [lucky] = answersTo(
      [{ ...question, logRatios: values.map((value, index) => ({ instance: index + 1, value })) }],
      { instances: 5, final: true },
    );
    const [told] = answersTo(
      [
        {
          ...question,
          logRatios: values.map((value, index) => ({ instance: index + 1, value, pairs: scattered(value) })),
        },
      ],
      { instances: 5, final: true },
    );
    expect(lucky?.verdict).toBe('regression');
    expect(told?.verdict).toBe('inconclusive');
  });
});
