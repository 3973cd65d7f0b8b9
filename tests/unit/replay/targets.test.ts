import { describe, expect, it } from 'vitest';
import type { ToldAndFound } from '../../../scripts/bench/verdict/foretelling.ts';
import type { SourceResult } from '../../../scripts/bench/verdict/source-result.ts';
import { replayTargets } from '../../../scripts/bench/verdict/targets.ts';
import { between, madeUpSource } from './sources.ts';

const found = (share: number): SourceResult['single'] =>
  [0.05, 0.1].flatMap((change) =>
    (['cpu-per-request', 'latency-p50', 'throughput'] as const).map((metric) => ({
      metric,
      threshold: 0 as never,
      change,
      instances: 7,
      seconds: 20,
      found: share,
    })),
  );

const result = (changes: Partial<SourceResult> = {}): SourceResult => ({
  source: madeUpSource(between(0.01), { name: 'made up', pairing: 'duet' }),
  falseAnswers: [
    {
      situation: 'no change',
      atBudgets: [
        { instances: 3, matrices: 500, red: 0, noChange: 0, improvement: 0 },
        { instances: 5, matrices: 500, red: 0, noChange: 0, improvement: 0 },
      ],
    },
  ],
  coverage: [{ instances: 5, share: 0.99, least: 0.97 }],
  bias: { series: 'node/ping throughput', t: 1.2, limit: 3.9 },
  matrix: [],
  single: found(1),
  contest: [],
  ...changes,
});

const missed = (results: SourceResult[], foretold: ({ name: string } & ToldAndFound)[] = []) =>
  replayTargets([], results, foretold)
    .filter(({ met, name }) => !met && !name.startsWith('instances recorded'))
    .map(({ name }) => name);

describe('the targets of the replay', () => {
  it('are met by a decision that gives no false answer and finds what there is', () => {
    expect(missed([result()])).toEqual([]);
  });

  it('are missed without recordings of 60 instances, quiet and disturbed', () => {
    const [quiet, disturbed] = replayTargets([], [], []);
    expect([quiet, disturbed]).toEqual([
      { name: 'instances recorded in duets, quiet', value: 0, limit: 'at least 60', met: false },
      { name: 'instances recorded in duets, disturbed', value: 0, limit: 'at least 60', met: false },
    ]);
  });

  it('are missed by a decision that never calls anything a regression', () => {
    expect(missed([result({ single: found(0) })])).toEqual([
      'made up: cpu-per-request +5 % of a single case found with 7 instances',
      'made up: cpu-per-request +10 % of a single case found with 7 instances',
      'made up: latency-p50 +10 % of a single case found with 7 instances',
      'made up: throughput +10 % of a single case found with 7 instances',
    ]);
  });

  it.each([
    ['red', { red: 12 }],
    ['no-change', { noChange: 12 }],
    ['improvement', { improvement: 12 }],
  ])('are missed where a false %s comes too often after one number of instances, or over all', (kind, counts) => {
    const at = (instances: number) => ({ instances, matrices: 500, red: 0, noChange: 0, improvement: 0 });
    const often = [{ situation: 'no change', atBudgets: [{ ...at(3), ...counts }, at(5)] }];
    const name = `made up, no change: matrices with a false ${kind}`;
    expect(missed([result({ falseAnswers: often })])).toEqual([name, `${name}, at the worst number of instances`]);
  });

  it('are missed where intervals hold the truth too seldom or too often, and where a side looks worse throughout', () => {
    const covered = (share: number) => missed([result({ coverage: [{ instances: 5, share, least: share }] })]);
    expect(covered(0.97)).toEqual(['made up: coverage of the marginal 99 % interval, least']);
    expect(covered(0.9995)).toEqual(['made up: coverage of the marginal 99 % interval, most']);
    const bias = { series: 'node/ping throughput', t: -4.2, limit: 3.9 };
    expect(missed([result({ bias })])).toEqual(['made up: t of the side that differs most, node/ping throughput']);
  });

  it('are missed where a change is found much later than foretold, or much sooner, by a recording that can tell', () => {
    const told = (factor: number, recorded = 30) => ({
      name: 'recorded: quiet',
      metric: 'throughput' as const,
      instances: 5,
      told: 0.05,
      found: 0.05 * factor,
      factor,
      recorded,
    });
    const name = 'recorded: quiet: throughput with 5 instances, foretold and found, factor';
    expect(missed([], [told(1.6)])).toEqual([name]);
    expect(missed([], [told(0.6)])).toEqual([name]);
    expect(missed([], [told(1.4)])).toEqual([]);
    expect(missed([], [told(2, 11)])).toEqual([]);
  });
});
