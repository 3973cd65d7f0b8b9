import { describe, expect, it } from 'vitest';
import type { FalseAnswers } from '../../../../research/verdict/false-reds.ts';
import { NOTHING } from '../../../../research/verdict/lines.ts';
import type { SourceResult } from '../../../../research/verdict/source-result.ts';
import { replayTargets } from '../../../../research/verdict/targets.ts';
import { between, madeUpSource } from './sources.ts';

const single = (share: number): SourceResult['single'] =>
  [0.05, 0.1].flatMap((change) =>
    (['cpu-per-request', 'latency-p50', 'throughput'] as const).map((metric) => ({
      metric,
      change,
      rounds: 12,
      seconds: 20,
      found: share,
    })),
  );

const answers = (changes: Partial<FalseAnswers> = {}): FalseAnswers => ({
  rounds: 10,
  matrices: 2000,
  red: 0,
  noChange: 0,
  noChangeClaims: 0,
  improvement: 0,
  ...changes,
});

const AT_ZERO = 'no change, limits of 0';

const result = (changes: Partial<SourceResult> = {}): SourceResult => ({
  source: madeUpSource(between(0.01), { name: 'made up', pairing: 'duet' }),
  falseAnswers: [{ situation: AT_ZERO, atBudgets: [answers()] }],
  coverage: [{ rounds: 5, share: 0.99, least: 0.97 }],
  bias: { series: 'node/ping throughput', t: 1.2, limit: 3.9 },
  single: single(1),
  contest: [],
  lines: [],
  detectable: [],
  ...changes,
});

const missed = (results: SourceResult[]) =>
  replayTargets([], results)
    .filter(({ met, name }) => !met && !name.startsWith('rounds recorded'))
    .map(({ name }) => name);

describe('the targets of the replay', () => {
  it('are met by a decision that gives no false answer and finds what there is', () => {
    expect(missed([result()])).toEqual([]);
  });

  it('are missed without recordings of 60 rounds, quiet and disturbed', () => {
    expect(replayTargets([], [])).toEqual([
      { name: 'rounds recorded in duets, quiet', value: 0, limit: 'at least 60', met: false },
      { name: 'rounds recorded in duets, disturbed', value: 0, limit: 'at least 60', met: false },
    ]);
  });

  it('are missed by a decision that never calls anything a regression', () => {
    expect(missed([result({ single: single(0) })])).toEqual([
      'made up: cpu-per-request +5 % of a single case found with 12 rounds',
      'made up: cpu-per-request +10 % of a single case found with 12 rounds',
      'made up: latency-p50 +10 % of a single case found with 12 rounds',
      'made up: throughput +10 % of a single case found with 12 rounds',
    ]);
  });

  it('are missed where a model has too many false reds after one number of rounds, or may have', () => {
    const often = (red: number) =>
      missed([result({ falseAnswers: [{ situation: AT_ZERO, atBudgets: [answers({ red })] }] })]);
    const name = `made up, ${AT_ZERO}: matrices with a false red, 10 rounds`;
    expect(often(20)).toEqual([]);
    expect(often(40)).toEqual([name, `${name}, upper 95 % bound`]);
  });

  it('are missed where too many improvements or claims of no change are wrong', () => {
    const wrong = answers({ improvement: 50, noChange: 50, noChangeClaims: 1000 });
    expect(missed([result({ falseAnswers: [{ situation: AT_ZERO, atBudgets: [wrong] }] })])).toEqual([
      `made up, ${AT_ZERO}: matrices with a false improvement, worst number of rounds`,
      `made up, ${AT_ZERO}: false claims of no change`,
    ]);
  });

  it('take all models together at default limits', () => {
    const situation = 'no change, default limits';
    const atDefault = (red: number) => result({ falseAnswers: [{ situation, atBudgets: [answers({ red })] }] });
    expect(missed([atDefault(19), atDefault(0)])).toEqual([]);
    expect(missed([atDefault(21), atDefault(0)])).toEqual([`all models, ${situation}: matrices with a false red`]);
  });

  it('hold a model that is only shown to nothing', () => {
    const shown = { falseAnswers: [{ situation: AT_ZERO, atBudgets: [answers({ red: 400 })] }], coverage: [] };
    expect(missed([result(shown)])).toEqual([]);
  });

  it('are missed where intervals hold the truth too seldom or too often, and where a side looks worse throughout', () => {
    const source = madeUpSource(between(0.01), { name: 'made up', about: '60 rounds' });
    const covered = (share: number) => missed([result({ source, coverage: [{ rounds: 5, share, least: share }] })]);
    expect(covered(0.97)).toEqual(['made up: coverage of the marginal 99 % interval, least']);
    expect(covered(0.9995)).toEqual(['made up: coverage of the marginal 99 % interval, most']);
    const bias = { series: 'node/ping throughput', t: -4.2, limit: 3.9 };
    expect(missed([result({ bias })])).toEqual(['made up: t of the side that differs most, node/ping throughput']);
  });

  it('are missed where a minimum detectable effect is found too seldom or too often, unless most are too large', () => {
    const told = (found: number, refused = 0) =>
      missed([result({ detectable: [{ rounds: 10, found, detectable: 0.1, refused }] })]);
    const name = 'made up: minimum detectable effect found in another run, 10 rounds';
    expect(told(0.9)).toEqual([]);
    expect(told(0.8)).toEqual([`${name}, least`]);
    expect(told(0.99)).toEqual([`${name}, most`]);
    expect(told(0.8, 0.6)).toEqual([]);
  });

  it('are missed where a change is found in fewer than nine of ten runs of the usual machine with 14 rounds', () => {
    const name = 'model: usual machine, 4 endpoints';
    const change = 'CPU +6 % of one endpoint without a database';
    const found = (share: number, rounds = 14) =>
      missed([
        result({ source: madeUpSource(between(0.01), { name }), lines: [{ change, rounds, share, minutes: null }] }),
      ]);
    expect(found(0.9)).toEqual([]);
    expect(found(0.89)).toEqual([`${name}: ${change}, found with 14 rounds`]);
    expect(found(0.5, 12)).toEqual([]);
  });

  it('are missed where runs that end by themselves find too little, or take more than 5 minutes where nothing changed', () => {
    const name = 'recorded: quiet';
    const ended = (change: string, share: number, ninety: number) => {
      const minutes = { median: 4, ninety };
      const lines = [{ change, rounds: 'decided' as const, share, minutes }];
      return missed([result({ source: madeUpSource(between(0.01), { name }), lines })]);
    };
    expect(ended('CPU +6 % of one endpoint without a database', 0.9, 12)).toEqual([]);
    expect(ended('CPU +6 % of one endpoint without a database', 0.89, 12)).toEqual([
      `${name}: CPU +6 % of one endpoint without a database, until decided: found`,
    ]);
    expect(ended(NOTHING, 0.9, 5)).toEqual([]);
    expect(ended(NOTHING, 0.9, 5.1)).toEqual([
      `${name}: ${NOTHING}, until decided: minutes of comparing, nine of ten runs`,
    ]);
  });
});
