import { describe, expect, it } from 'vitest';
import { atDefault, none, type Series, type Source, type Truth } from '../../../../research/verdict/source.ts';
import { comparing } from '../../../../research/verdict/until-decided.ts';
import { seededRandom } from '../../../../src/core/statistics/random.ts';
import { between, madeUpSource } from './sources.ts';

const SEED = 7;
const run = (width: number, change: Truth['change'] = none, seconds = 3600, rounds = 0, of: Partial<Source> = {}) => {
  const source = madeUpSource(between(width), of);
  const truth = { threshold: atDefault, change };
  return comparing(source, source.draw(28, seededRandom(SEED)), truth, { seconds, rounds });
};
const isCase = (endpoint: string, { caseKey, metric }: Series) =>
  caseKey.startsWith(`node/${endpoint}/`) && metric === 'cpu-per-request';

describe(`a run until all is decided, seed ${SEED}`, () => {
  // 4 endpoints: 1.2 s to start, 4 times 0.54 s to warm up and look at answers, 4 trials of 2.15 s.
  const roundSeconds = 1.2 + 4 * 0.54 + 4 * 2.15;
  const ofOne = 1.2 + 1.04 + 2.15;
  const atItsLimit = (series: Series) => (isCase('a', series) ? 0.03 : 0);

  it('ends at the first look where nothing changed and next to nothing scatters', () => {
    const { isRed, isDecided, seconds } = run(0.005);
    expect({ isRed, isDecided }).toEqual({ isRed: false, isDecided: true });
    expect(seconds).toBeCloseTo(6 * roundSeconds, 6);
  });

  it('goes on with the endpoint alone that is open', () => {
    const { isRed, isDecided, seconds } = run(0.005, atItsLimit);
    expect({ isRed, isDecided }).toEqual({ isRed: false, isDecided: false });
    expect(seconds).toBeCloseTo(6 * roundSeconds + 22 * ofOne, 6);
  });

  it('takes as long for what is not load as the rounds of a recording did', () => {
    // 8 s of load, and three times the rest that is expected.
    const [rest, restOfOne] = [roundSeconds - 8, ofOne - 2];
    const { seconds } = run(0.005, atItsLimit, 3600, 0, { roundSeconds: 8 + 3 * rest });
    expect(seconds).toBeCloseTo(6 * (8 + 3 * rest) + 22 * (2 + 3 * restOfOne), 6);
  });

  it('is red where one endpoint got worse by more than its limit', () => {
    expect(run(0.005, (series) => (isCase('a', series) ? 0.06 : 0))).toMatchObject({ isRed: true, isDecided: true });
  });

  it('ends undecided where the budget does', () => {
    const { isDecided, seconds } = run(0.005, atItsLimit, 130);
    expect(isDecided).toBe(false);
    expect(seconds).toBeCloseTo(6 * roundSeconds + 13 * ofOne, 6);
  });

  it('goes on beyond it for the rounds that it was made for', () => {
    expect(run(0.005, atItsLimit, 130, 20).seconds).toBeCloseTo(6 * roundSeconds + 14 * ofOne, 6);
  });

  it('goes on beyond it where rounds scatter so much that twice a limit would not show', () => {
    expect(run(0.3, none, 130).seconds).toBeCloseTo(28 * roundSeconds, 6);
  });
});
