import { describe, expect, it } from 'vitest';
import { coverage } from '../../../../research/verdict/coverage.ts';
import { detectableAndFound } from '../../../../research/verdict/detectable-and-found.ts';
import { falseAnswers, SITUATIONS, upperShare } from '../../../../research/verdict/false-reds.ts';
import { lines, NOTHING } from '../../../../research/verdict/lines.ts';
import { usualMachine } from '../../../../research/verdict/simulated.ts';
import { singleDetections } from '../../../../research/verdict/single-case.ts';
import { between, madeUpSource } from './sources.ts';

const SEED = 71;
const [NO_CHANGE, AT_ZERO, AT_LIMIT] = SITUATIONS as [(typeof SITUATIONS)[0], ...(typeof SITUATIONS)[0][]];
const quiet = madeUpSource(between(0.005));

describe('false answers', () => {
  it('are none where nothing but a little noise is between the sides', () => {
    for (const found of falseAnswers(quiet, NO_CHANGE, 10, SEED)) {
      expect(found).toMatchObject({ matrices: 10, red: 0, noChange: 0, improvement: 0 });
    }
  });

  it('are looked for as well where a run ends because everything is decided', () => {
    const decided = falseAnswers(quiet, NO_CHANGE, 10, SEED).at(-1)!;
    expect(decided).toMatchObject({ rounds: 'decided', matrices: 10, red: 0, improvement: 0 });
    expect(falseAnswers(quiet, AT_ZERO!, 2, SEED).map(({ rounds }) => rounds)).toEqual([5, 10, 28]);
  });

  it('are counted where one metric leans to a side: reds where it looks worse, improvements where it looks better', () => {
    const leaning = (by: number) =>
      madeUpSource((series, random) => between(0.005)(series, random) + (series.metric === 'throughput' ? by : 0));
    const [atFive, atTen] = falseAnswers(leaning(0.2), AT_ZERO!, 10, SEED);
    // Before the first look nothing is decided.
    expect(atFive).toMatchObject({ rounds: 5, red: 0 });
    expect(atTen).toMatchObject({ rounds: 10, matrices: 10, red: 10, improvement: 0 });
    expect(falseAnswers(leaning(-0.2), AT_ZERO!, 10, SEED)[1]).toMatchObject({ red: 0, improvement: 10 });
  });

  it('count as no-change what hides a change of the size of its limit', () => {
    const hiding = madeUpSource((series, random) => between(0.001)(series, random) - 0.03);
    const { noChange, noChangeClaims } = falseAnswers(hiding, AT_LIMIT!, 10, SEED)[1]!;
    expect(noChange).toBe(noChangeClaims);
    // Of some hundred claims one in 200 is wrong by chance.
    expect(falseAnswers(quiet, AT_LIMIT!, 10, SEED)[1]!.noChange).toBeLessThan(5);
  });

  it('have an upper bound that allows for chance', () => {
    // Clopper and Pearson, by the binomial distribution: 1 - 0.05^(1/2000), and the rule of three.
    expect(upperShare(0, 2000)).toBeCloseTo(1 - 0.05 ** (1 / 2000), 9);
    expect(upperShare(20, 2000)).toBeGreaterThan(0.014);
    expect(upperShare(20, 2000)).toBeLessThan(0.016);
  });
});

describe('the coverage of intervals', () => {
  it('is given for all, and for the metric that is covered worst', () => {
    const one = quiet.series[0]!;
    const leaning = madeUpSource((series, random) => between(0.005)(series, random) + (series.id === one.id ? 0.1 : 0));
    const atFive = coverage(leaning, 50, SEED).find(({ rounds }) => rounds === 5)!;
    expect(atFive.least).toBe(0);
    expect(atFive.share).toBeGreaterThan(0.8);
  });
});

describe('what is found', () => {
  it('is a change that stands out of the noise, and not one that does not', () => {
    const atTen = (width: number) =>
      singleDetections(madeUpSource(between(width)), 3, SEED).filter(
        ({ metric, rounds }) => metric === 'cpu-per-request' && rounds === 10,
      );
    expect(atTen(0.001).map(({ change, found, seconds }) => [change, found, seconds])).toEqual([
      [0.02, 1, 20],
      [0.05, 1, 20],
      [0.1, 1, 20],
    ]);
    expect(Math.max(...atTen(1).map(({ found }) => found))).toBeLessThan(0.1);
  });

  it('is looked for at default limits as people make changes, with 8, 10, 12 and 14 rounds', () => {
    const found = lines(usualMachine(4), 10, SEED);
    const one = found.filter(({ change }) => change === 'CPU +8 % of one endpoint without a database');
    expect(one.map(({ rounds }) => rounds)).toEqual([8, 10, 12, 14]);
    expect(one.at(-1)!.share).toBeGreaterThan(0.5);
    expect(found.filter(({ change }) => change === NOTHING)).toHaveLength(4);
  });

  it('is what a run says that another one would find, or nothing is told where it scatters too much', () => {
    for (const { found, refused } of detectableAndFound(madeUpSource(between(0.005)), 5, SEED)) {
      expect(found).toBeGreaterThan(0.7);
      expect(refused).toBe(0);
    }
    expect(detectableAndFound(madeUpSource(between(3)), 2, SEED)[0]!.refused).toBe(1);
  });
});
