import { describe, expect, it } from 'vitest';
import { coverage } from '../../../scripts/bench/verdict/coverage.ts';
import { detections, singleDetections } from '../../../scripts/bench/verdict/detection.ts';
import { falseAnswers, SITUATIONS } from '../../../scripts/bench/verdict/false-reds.ts';
import { between, madeUpSource } from './sources.ts';

const SEED = 71;
const [NO_CHANGE, AT_ZERO, AT_LIMIT] = SITUATIONS as [(typeof SITUATIONS)[0], ...(typeof SITUATIONS)[0][]];
const quiet = madeUpSource(between(0.005));

describe('false answers', () => {
  it('are none where nothing but a little noise is between the sides', () => {
    for (const found of falseAnswers(quiet, NO_CHANGE, 80, SEED)) {
      expect(found).toMatchObject({ matrices: 20, red: 0, noChange: 0, improvement: 0 });
    }
  });

  it('are looked for as well where a run ends because everything is decided', () => {
    const decided = falseAnswers(quiet, NO_CHANGE, 80, SEED).at(-1)!;
    expect(decided).toEqual({ instances: 'decided', matrices: 20, red: 0, noChange: 0, improvement: 0 });
    expect(falseAnswers(quiet, AT_ZERO!, 4, SEED).map(({ instances }) => instances)).toEqual([3, 5, 10, 28]);
  });

  it('are counted where one series leans to a side: reds where it looks worse, improvements where it looks better', () => {
    const leaning = (by: number) =>
      madeUpSource((series, random) => between(0.005)(series, random) + (series.metric === 'throughput' ? by : 0));
    const [, atFive] = falseAnswers(leaning(0.2), AT_ZERO!, 40, SEED);
    expect(atFive).toEqual({ instances: 5, matrices: 10, red: 10, noChange: 0, improvement: 0 });
    expect(falseAnswers(leaning(-0.2), AT_ZERO!, 40, SEED)[1]).toMatchObject({ red: 0, improvement: 10 });
  });

  it('count as no-change what hides a change of the size of its limit', () => {
    const hiding = madeUpSource((series, random) => between(0.001)(series, random) - 0.03);
    expect(falseAnswers(hiding, AT_LIMIT!, 40, SEED)[1]!.noChange).toBe(10);
    expect(falseAnswers(quiet, AT_LIMIT!, 40, SEED)[1]!.noChange).toBe(0);
  });
});

describe('the coverage of intervals', () => {
  it('is told of all, and of the series that is covered worst', () => {
    const one = quiet.series[0]!;
    const leaning = madeUpSource((series, random) => between(0.005)(series, random) + (series === one ? 0.1 : 0), {
      series: quiet.series,
      draw: (instances, random) =>
        quiet.series.map((series) =>
          Array.from({ length: instances }, () => between(0.005)(series, random) + (series === one ? 0.1 : 0)),
        ),
    });
    const atFive = coverage(leaning, 50, SEED).find(({ instances }) => instances === 5)!;
    expect(atFive.least).toBe(0);
    expect(atFive.share).toBeGreaterThan(0.9);
  });
});

describe('what is found', () => {
  it('is a change that stands out of the noise, and not one that does not', () => {
    const atTen = detections(quiet, 3, SEED).filter(
      ({ metric, threshold, instances }) => metric === 'cpu-per-request' && threshold !== 'default' && instances === 10,
    );
    expect(atTen.map(({ change, found }) => [change, found])).toEqual([
      [0.01, expect.any(Number)],
      [0.02, 1],
      [0.05, 1],
      [0.1, 1],
    ]);
    const noisy = detections(madeUpSource(between(1)), 3, SEED);
    expect(Math.max(...noisy.map(({ found }) => found))).toBeLessThan(0.1);
  });

  it('is looked for only beyond the limit: a red of a smaller change would be a false one', () => {
    const atDefault = detections(quiet, 1, SEED).filter(({ threshold }) => threshold === 'default');
    const changes = (metric: string) => [
      ...new Set(atDefault.filter((each) => each.metric === metric).map(({ change }) => change)),
    ];
    expect(changes('cpu-per-request')).toEqual([0.05, 0.1]);
    expect(changes('throughput')).toEqual([0.1]);
    expect(changes('memory-peak')).toEqual([]);
  });

  it('costs the wall clock of a recorded matrix, and of a single case its load', () => {
    const recorded = madeUpSource(between(0.005), { instanceSeconds: 88 });
    expect(detections(recorded, 1, SEED).find(({ instances }) => instances === 5)!.seconds).toBe(440);
    expect(singleDetections(recorded, 1, SEED).find(({ instances }) => instances === 5)!.seconds).toBe(10);
  });
});
