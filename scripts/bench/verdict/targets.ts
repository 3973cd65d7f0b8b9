import type { Recording } from '../../noise/noise-line.ts';
import { atLeast, atMost, rounded, type Target } from '../target.ts';
import type { ToldAndFound } from './foretelling.ts';
import type { SourceResult } from './source-result.ts';

/** Of a recording in duets, of each condition. */
const LEAST_INSTANCES = 60;
/** Half a recording with fewer does not know its own scatter to a third. */
const LEAST_HALF = 20;
/** Of matrices, false. */
const MOST_FALSE = 0.01;
/** Of a quarter of the matrices 1 % are up to 2.2 % by chance (99 % of binomial(500, 0.01)). */
const MOST_FALSE_AT_A_BUDGET = 0.022;
/** Of marginal 99 % intervals. */
const COVERAGE = { least: 0.98, most: 0.999 };
/** What is found of a single case at a limit of 0, so that a decision that never says anything does not pass. */
const FLOORS = [
  { metric: 'cpu-per-request', change: 0.05, instances: 7, found: 0.75 },
  { metric: 'cpu-per-request', change: 0.1, instances: 7, found: 0.95 },
  { metric: 'latency-p50', change: 0.1, instances: 7, found: 0.95 },
  { metric: 'throughput', change: 0.1, instances: 7, found: 0.9 },
] as const;

export function replayTargets(
  recordings: readonly Recording[],
  results: readonly SourceResult[],
  foretold: readonly ({ name: string } & ToldAndFound)[],
): Target[] {
  return [
    ...(['quiet', 'disturbed'] as const).map((condition) => recordedTarget(condition, recordings)),
    ...results.flatMap((result) => [...falseTargets(result), ...coverageTargets(result)]),
    ...results.flatMap((result) => [...biasTarget(result), ...floorTargets(result)]),
    ...foretold.filter(({ recorded }) => recorded >= LEAST_HALF).map(foretoldTarget),
  ];
}

function recordedTarget(condition: 'quiet' | 'disturbed', recordings: readonly Recording[]): Target {
  const own = recordings.find(({ header }) => header.condition === condition && header.pairing === 'duet');
  const instances = new Set(own?.slices.map(({ instance }) => instance)).size;
  return atLeast(`instances recorded in duets, ${condition}`, instances, LEAST_INSTANCES);
}

function falseTargets({ source, falseAnswers }: SourceResult): Target[] {
  return falseAnswers.flatMap(({ situation, atBudgets }) => {
    const kinds = [
      ['red', atBudgets.map(({ red }) => red)],
      ['no-change', atBudgets.map(({ noChange }) => noChange)],
      ['improvement', atBudgets.map(({ improvement }) => improvement)],
    ] as const;
    const matrices = atBudgets.map((each) => each.matrices);
    return kinds.flatMap(([kind, counts]) => {
      const name = `${source.name}, ${situation}: matrices with a false ${kind}`;
      const worst = Math.max(...counts.map((count, index) => count / matrices[index]!));
      return [
        atMost(name, rounded(sum(counts) / sum(matrices)), MOST_FALSE),
        atMost(`${name}, at the worst number of instances`, rounded(worst), MOST_FALSE_AT_A_BUDGET),
      ];
    });
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}

function coverageTargets({ source, coverage }: SourceResult): Target[] {
  const shares = coverage.map(({ share }) => share);
  const name = `${source.name}: coverage of the marginal 99 % interval`;
  return [
    atLeast(`${name}, least`, rounded(Math.min(...shares), 5), COVERAGE.least),
    atMost(`${name}, most`, rounded(Math.max(...shares), 5), COVERAGE.most),
  ];
}

function biasTarget({ source, bias }: SourceResult): Target[] {
  if (bias === null) return [];
  const name = `${source.name}: t of the side that differs most, ${bias.series}`;
  return [atMost(name, rounded(Math.abs(bias.t), 3), rounded(bias.limit, 3))];
}

function floorTargets({ source, single }: SourceResult): Target[] {
  if (source.pairing !== 'duet') return [];
  return FLOORS.flatMap(({ metric, change, instances, found }) => {
    const seen = single.find(
      (each) => each.metric === metric && each.change === change && each.instances === instances,
    );
    const name = `${source.name}: ${metric} +${change * 100} % of a single case found with ${instances} instances`;
    return seen === undefined ? [] : [atLeast(name, rounded(seen.found), found)];
  });
}

/** The larger by the smaller. */
function foretoldTarget({ name, metric, instances, factor }: { name: string } & ToldAndFound): Target {
  const apart = Math.max(factor, 1 / factor);
  return atMost(`${name}: ${metric} with ${instances} instances, foretold and found, factor`, rounded(apart, 3), 1.5);
}
