import { describe, expect, it } from 'vitest';
import { asQuestion, findings } from '../../../scripts/bench/verdict/live/result.ts';
import { redsAgain } from '../../../scripts/bench/verdict/live/targets.ts';
import { questionsOf } from '../../../src/core/comparison/undecided.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';
import { liveResult } from './results.ts';

const record = madeUpRecord({ seed: 12, instances: 7, cases: [{ ratios: { 'cpu-per-request': 1.1 } }] });

describe('what a live comparison leaves', () => {
  it('is every gated verdict, what it rests on, and what a request cost on either side', () => {
    const { instances, verdicts, questions, cpuUs } = findings(record);
    // That of the published figures compares nothing.
    expect(instances).toBe(7);
    expect(verdicts.map(({ metric, verdict }) => [metric, verdict])).toEqual([
      ['throughput', 'no-change'],
      ['cpu-per-request', 'regression'],
      ['memory-peak', 'no-change'],
    ]);
    expect(questions.map(({ logRatios }) => logRatios.length)).toEqual([7, 7, 7]);
    expect(cpuUs.candidate / cpuUs.baseline).toBeCloseTo(1.1, 1);
  });

  it('has the questions as they were asked, to a millionth', () => {
    const asked = questionsOf({ ...record, comparing: record.comparing! });
    const stored = findings(record).questions.map(asQuestion);
    expect(stored.map(({ id, group, threshold }) => ({ id, group, threshold }))).toEqual(
      asked.map(({ id, group, threshold }) => ({ id, group, threshold })),
    );
    const values = (questions: typeof asked) =>
      questions.flatMap(({ logRatios }) => logRatios.map(({ value }) => value));
    const off = values(stored).map((value, index) => Math.abs(value - values(asked)[index]!));
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
