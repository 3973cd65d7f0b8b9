import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAbText } from '../../../src/core/generators/ab/output.ts';
import { reportedFigures } from '../../../src/core/record/reported.ts';
import { healthyTrial } from '../support/trials.ts';

const published = (name: string) =>
  parseAbText(
    readFileSync(new URL(`../../../fixtures/generators/ab/nodepp-bun-go/${name}.txt`, import.meta.url), 'utf8'),
  );

describe('what a generator printed beside the metrics', () => {
  it('is, of ab, deviation, further percentiles, phases and transfer rate', () => {
    expect(reportedFigures([healthyTrial({ outcome: published('bun') })])).toEqual({
      reported: {
        latencyMs: { min: 76, stdev: 128, p66: 154, p80: 156, p98: 382 },
        phasesMs: {
          connect: { min: 0, mean: 39, stdev: 119.2, p50: 29, max: 1093 },
          processing: { min: 27, mean: 126, stdev: 40.6, p50: 119, max: 484 },
          waiting: { min: 19, mean: 118, stdev: 42.6, p50: 110, max: 484 },
        },
        bytesPerSecond: 736_246,
      },
    });
  });

  it('is the median of several trials, of each figure that any of them has', () => {
    const [one, two, three] = ['bun', 'go', 'nodepp-single'].map(published);
    const { phasesMs: _, ...without } = three!;
    const trials = [one!, two!, without].map((outcome, round) => healthyTrial({ outcome, round: round + 1 }));
    const { reported } = reportedFigures(trials);
    expect(reported?.latencyMs).toMatchObject({ min: 76, stdev: 28.6 });
    expect(reported?.phasesMs?.connect).toEqual({
      min: 0,
      mean: 29.5,
      stdev: expect.closeTo(67.8),
      p50: 22.5,
      max: 592.5,
    });
  });

  it('counts requests that failed by kind over all trials, without the kinds that none had', () => {
    const outcome = healthyTrial().outcome!;
    const trials = [
      { connect: 0, read: 3, timeout: 1 },
      { connect: 0, read: 4 },
    ].map((errors) => healthyTrial({ outcome: { ...outcome, errors } }));
    expect(reportedFigures(trials)).toEqual({ reported: { requests: 100_000, errors: { read: 7, timeout: 1 } } });
  });

  it('is of the trials alone that published figures are of', () => {
    const outcome = { ...healthyTrial().outcome!, errors: { read: 3 } };
    const trials = [healthyTrial({ round: 0, outcome }), healthyTrial({ round: 1, mode: 'duet', outcome })];
    expect(reportedFigures(trials).reported).toEqual({ requests: 50_000, errors: { read: 3 } });
  });

  it('is absent where there is nothing', () => {
    expect(reportedFigures([healthyTrial()])).toEqual({});
    expect(reportedFigures([healthyTrial({ outcome: null })])).toEqual({});
  });
});
