import { describe, expect, it } from 'vitest';
import { asSeries, findings } from '../../../../research/verdict/live/result.ts';
import { redsAgain } from '../../../../research/verdict/live/targets.ts';
import { comparedMetricsOf } from '../../../../src/core/comparison/compared-metrics.ts';
import { gateHypotheses } from '../../../../src/core/comparison/undecided.ts';
import { madeUpRecord } from '../../../support/made-up/run-record.ts';
import { liveResult } from './results.ts';

const record = madeUpRecord({ seed: 12, rounds: 10, cases: [{ ratios: { 'cpu-per-request': 1.1 } }] });

describe('what a live comparison leaves', () => {
  it('is every gated verdict, what it rests on, and what a request cost on either side', () => {
    const { rounds, verdicts, series, cpuUs } = findings(record);
    // That of the published figures compares nothing.
    expect(rounds).toBe(10);
    expect(verdicts.map(({ metric, verdict }) => [metric, verdict])).toEqual([
      ['throughput', 'no-change'],
      ['cpu-per-request', 'regression'],
      ['memory-peak', 'no-change'],
    ]);
    expect(series.map(({ logRatios }) => logRatios.length)).toEqual([10, 10, 10]);
    expect(cpuUs.candidate / cpuUs.baseline).toBeCloseTo(1.1, 1);
  });

  it('has the ratios that the hypotheses were tested on, to a millionth', () => {
    const tested = gateHypotheses(comparedMetricsOf({ ...record, comparing: record.comparing! }));
    const stored = findings(record).series.map(asSeries);
    expect(stored.map(({ caseKey, metric, threshold }) => [`${caseKey} ${metric}`, threshold])).toEqual(
      tested.map(({ id, threshold }) => [id, threshold]),
    );
    const off = stored.flatMap(({ values }, index) =>
      values.map(({ value }, at) => Math.abs(value - tested[index]!.groups[0]![0]!.values[at]!.value)),
    );
    expect(Math.max(...off)).toBeLessThan(1e-6);
  });

  it('comes to the same verdicts when it is judged again', () => {
    const result = liveResult({ kind: 'http-cpu-10', ...findings(record) });
    const reds = result.verdicts.filter(({ verdict }) => verdict === 'regression');
    expect(redsAgain(result)).toEqual(reds.map((red) => `${red.case} ${red.metric}`));
  });

  it('is nothing where nothing was compared', () => {
    expect(() => findings(madeUpRecord({ id: '20261120-0a1b2c', comparing: null, cases: [{}] }))).toThrow(
      'The run 20261120-0a1b2c compared nothing.',
    );
  });
});
