import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/core/statistics/random.ts';
import {
  leastSerialCorrelation,
  serialCorrelationOf,
  withSerialCorrelation,
} from '../../../src/core/statistics/serial-correlation.ts';
import { normal } from '../../support/made-up/samples.ts';

/** Of a first-order autoregression: each value has `rho` of the one before it. */
function autoregression(count: number, rho: number, random: Random): number[] {
  const values = [normal(random)];
  while (values.length < count) values.push(rho * values.at(-1)! + Math.sqrt(1 - rho ** 2) * normal(random));
  return values;
}

function residuals(values: readonly number[]): number[] {
  const centre = values.reduce((sum, each) => sum + each, 0) / values.length;
  return values.map((value) => value - centre);
}

/** Covariance of the residuals of `n` values about their mean, as the matrix product M R M. */
function residualCovariance(n: number, rho: number): number[][] {
  const all = Array.from({ length: n }, (_, index) => index);
  const product = (a: number[][], b: number[][]) =>
    all.map((i) => all.map((j) => all.reduce((sum, k) => sum + a[i]![k]! * b[k]![j]!, 0)));
  const about = all.map((i) => all.map((j) => (i === j ? 1 : 0) - 1 / n));
  const correlation = all.map((i) => all.map((j) => rho ** Math.abs(i - j)));
  return product(product(about, correlation), about);
}

describe('a mean of independent values', () => {
  it.each([2, 8, 12, 40])('of %d has the standard error s / sqrt(n), and n - 1 degrees of freedom', (count) => {
    const { inflation, degreesOfFreedom } = withSerialCorrelation(count, 0);
    expect(inflation).toBeCloseTo(1, 12);
    expect(degreesOfFreedom).toBeCloseTo(count - 1, 9);
  });
});

describe('a mean of values of which each hangs together with the one before', () => {
  it.each([
    [8, 0.2],
    [10, 0.6],
    [20, 0.4],
  ])('has what the matrices of %d values with an autocorrelation of %d say', (count, rho) => {
    const covariance = residualCovariance(count, rho);
    const trace = covariance.reduce((sum, row, index) => sum + row[index]!, 0);
    const squares = covariance.flat().reduce((sum, each) => sum + each ** 2, 0);
    let ofMean = 0;
    for (let i = 0; i < count; i++) for (let j = 0; j < count; j++) ofMean += rho ** Math.abs(i - j) / count ** 2;
    const naive = trace / (count - 1) / count;
    const found = withSerialCorrelation(count, rho);
    // The table goes in steps of 0.01, between which it is linear.
    expect(found.inflation).toBeCloseTo(Math.sqrt(ofMean / naive), 3);
    expect(found.degreesOfFreedom).toBeCloseTo(trace ** 2 / squares, 2);
  });

  it('changes with the ratio that it is found from as its table says', () => {
    const [one, other] = [withSerialCorrelation(10, 0.5), withSerialCorrelation(10, 0.51)];
    const grown = Math.log(other.inflation / one.inflation);
    expect(one.sensitivity).toBeGreaterThan(grown / 0.01);
    expect(withSerialCorrelation(10, 0.75).sensitivity).toBeGreaterThan(one.sensitivity);
    const near = Math.log(withSerialCorrelation(10, 0.01).inflation) / (one.sensitivity * 0.01);
    expect(withSerialCorrelation(10, 0).sensitivity).toBeLessThan(one.sensitivity);
    expect(near).toBeLessThan(1);
    expect(withSerialCorrelation(3, 0).sensitivity).toBe(0);
  });

  it('tells less the more they hang together', () => {
    const rhos = [0, 0.1, 0.2, 0.3, 0.5, 0.7];
    const found = rhos.map((rho) => withSerialCorrelation(12, rho));
    const inOrder = (values: number[]) => [...values].sort((a, b) => a - b);
    const inflations = found.map(({ inflation }) => inflation);
    const degrees = found.map(({ degreesOfFreedom }) => degreesOfFreedom);
    expect(inflations).toEqual(inOrder(inflations));
    expect(degrees).toEqual(inOrder(degrees).reverse());
  });

  it('is no better for values that alternate, and no worse than at 0.75', () => {
    expect(withSerialCorrelation(12, -0.5)).toMatchObject({ inflation: expect.closeTo(1, 12) });
    expect(withSerialCorrelation(12, 1.2).inflation).toBe(withSerialCorrelation(12, 0.75).inflation);
  });

  it('has a standard error as large as what such means scatter by', () => {
    const random = seededRandom(20261122);
    const [count, rho, runs] = [10, 0.6, 4000];
    let naive = 0;
    let squares = 0;
    for (let run = 0; run < runs; run++) {
      const values = autoregression(count, rho, random);
      const off = residuals(values);
      naive += off.reduce((sum, each) => sum + each ** 2, 0) / (count - 1) / count / runs;
      squares += (values[0]! - off[0]!) ** 2 / runs;
    }
    const { inflation } = withSerialCorrelation(count, rho);
    expect(inflation / Math.sqrt(squares / naive)).toBeCloseTo(1, 1);
  });
});

const HALVES = [-2, -2, -2, -2, 2, 2, 2, 2];

describe('the autocorrelation of a run', () => {
  it.each([0.2, 0.5, 0.7])('of %d is found in one long series', (rho) => {
    const series = residuals(autoregression(400, rho, seededRandom(7)));
    expect(Math.abs(serialCorrelationOf([series], 400, 1) - rho)).toBeLessThan(0.1);
  });

  it('is found in many short series, though each by itself shows much less of it', () => {
    const random = seededRandom(8);
    const series = Array.from({ length: 2000 }, () => residuals(autoregression(10, 0.6, random)));
    const plain =
      series.reduce((sum, own) => {
        const squares = own.reduce((all, each) => all + each ** 2, 0);
        return sum + own.slice(1).reduce((all, each, index) => all + each * own[index]!, 0) / squares;
      }, 0) / series.length;
    expect(plain).toBeGreaterThan(0.1);
    expect(plain).toBeLessThan(0.3);
    const found = serialCorrelationOf(series, 10, series.length);
    expect(found).toBeGreaterThan(0.55);
    expect(found).toBeLessThan(0.7);
  });

  it('of n = 10 and 0.6 is read from a ratio of 0.24, as its matrices say', () => {
    const covariance = residualCovariance(10, 0.6);
    const all = covariance.map((_, index) => index);
    const squared = all.map((i) =>
      all.map((j) => all.reduce((sum, k) => sum + covariance[i]![k]! * covariance[k]![j]!, 0)),
    );
    const trace = (matrix: number[][]) => matrix.reduce((sum, row, index) => sum + row[index]!, 0);
    const neighbours = (matrix: number[][]) => matrix.slice(1).reduce((sum, row, index) => sum + row[index]!, 0);
    const [n, d] = [neighbours(covariance), trace(covariance)];
    const expected = n / d - (2 * neighbours(squared)) / d ** 2 + (2 * trace(squared) * n) / d ** 3;
    expect(expected).toBeCloseTo(0.236, 3);
    // Two residuals other than 0, next to each other, whose product is this part of their squares: t / (1 + t^2).
    const t = (1 - Math.sqrt(1 - 4 * expected ** 2)) / (2 * expected);
    const series = Array(20).fill([0, 0, 0, 1, t, 0, 0, 0, 0, 0]);
    expect(serialCorrelationOf(series, 10, 1e9)).toBeCloseTo(0.6, 3);
  });

  it('of independent, slightly and strongly correlated rounds is found without bias in many series of 10', () => {
    for (const rho of [0.1, 0.3, 0.6]) {
      const random = seededRandom(11);
      const series = Array.from({ length: 3000 }, () => residuals(autoregression(10, rho, random)));
      expect(Math.abs(serialCorrelationOf(series, 10, series.length) - rho)).toBeLessThan(0.05);
    }
  });

  it('is next to none where rounds are independent, and 0 where they alternate', () => {
    const random = seededRandom(9);
    const series = Array.from({ length: 500 }, () => residuals(autoregression(12, 0, random)));
    expect(serialCorrelationOf(series, 12, series.length)).toBeLessThan(0.05);
    expect(serialCorrelationOf([[1, -1, 1, -1, 1, -1]], 6, 1)).toBe(0);
  });

  it('gives each series the same say, however much it scatters', () => {
    const [one, other] = [residuals(autoregression(50, 0.7, seededRandom(1))), [1, -1, 1, -1, 1, -1]];
    const louder = other.map((each) => 1000 * each);
    expect(serialCorrelationOf([one, louder], 28, 2)).toBeCloseTo(serialCorrelationOf([one, other], 28, 2), 12);
  });

  it('is less where few rounds of few series could show it by chance', () => {
    const series = Array.from({ length: 20 }, () => residuals(autoregression(10, 0.6, seededRandom(12))));
    const found = [1e9, 20, 4, 1].map((independent) => serialCorrelationOf(series, 10, independent));
    expect(found).toEqual([...found].sort((one, other) => other - one));
    expect(found[0]! - found[3]!).toBeGreaterThan(0.1);
  });

  it('is 0 where nothing is known, and 0.75 at most, 0.5 where few values tell it', () => {
    expect(serialCorrelationOf([], 10, 1)).toBe(0);
    expect(serialCorrelationOf([[0, 0, 0, 0]], 4, 1)).toBe(0);
    expect(serialCorrelationOf([[1, -1]], 2, 1)).toBe(0);
    const found = [1, 4, 6, 8, 1000].map((many) => serialCorrelationOf(Array(many).fill(HALVES), 8, many));
    expect(found).toEqual([0.5, 0.5, 0.625, 0.75, 0.75]);
    // Many series that are all alike are worth one.
    expect(serialCorrelationOf(Array(1000).fill(HALVES), 8, 1)).toBe(0.75);
  });
});

describe('rounds in which all cases go up and down together', () => {
  const common = (correlation: number, chance = 0, pairs = 10) => ({ correlation, chance, pairs });

  it('are taken to hang together by up to 0.5, the more the cases have in common beyond 0.15', () => {
    expect([0, 0.15, 0.225, 0.3, 1].map((each) => leastSerialCorrelation([common(each)]))).toEqual([
      0,
      0,
      expect.closeTo(0.25, 12),
      0.5,
      0.5,
    ]);
  });

  it('are not, as far as that is chance: few cases in few rounds', () => {
    expect(leastSerialCorrelation([common(0.4, 0.2)])).toBe(0);
    expect(leastSerialCorrelation([common(0.4, 0.02)])).toBe(0.5);
    expect(leastSerialCorrelation([])).toBe(0);
  });

  it('are seen in all metrics together, each by as many pairs of cases as it has', () => {
    expect(leastSerialCorrelation([common(0.3, 0, 10), common(0, 0, 30)])).toBe(0);
    expect(leastSerialCorrelation([common(0.3, 0, 30), common(0, 0, 10)])).toBeCloseTo(0.25, 12);
    // Metrics of the same trials are not known any better together.
    expect(leastSerialCorrelation([common(0.4, 0.2), common(0.4, 0.2), common(0.4, 0.2)])).toBe(0);
  });
});
