import { answersTo } from '../../../src/core/comparison/decision.ts';
import { type Random, seededRandom } from '../../../src/core/statistics/random.ts';
import type { RecordedSource } from './recorded.ts';
import { autoSampling } from './rivals/auto-sampling.ts';
import { lastRun } from './rivals/last-run.ts';
import { mannWhitney } from './rivals/mann-whitney.ts';
import type { Rival } from './rivals/rival.ts';
import { storedHistory } from './rivals/stored-history.ts';
import { atDefault, none, questionsOf, SERVICE_MEMORY, type Series } from './source.ts';

export const RIVALS: readonly Rival[] = [
  lastRun(105),
  lastRun(110),
  lastRun(200),
  storedHistory,
  mannWhitney,
  autoSampling,
];

export interface Showing {
  rule: string;
  source: string;
  threshold: '0' | 'default' | 'its own';
  instances: number;
  /** Share of matrices without any change that are red. */
  falseRed: number;
  /** Share of changed series that are red, by change. */
  found: Record<string, number>;
}

const CHANGES = [0.02, 0.05, 0.1];

/** Every rule on the same recording, with the same number of instances and so the same seconds. */
export function contest(source: RecordedSource, instances: number, matrices: number, seed: number): Showing[] {
  const thresholds = { '0': none, default: atDefault } as const;
  return [
    ...(['0', 'default'] as const).map((name) => ours(source, instances, matrices, seed, name, thresholds[name])),
    ...RIVALS.flatMap((rival) =>
      rival.thresholds
        ? (['0', 'default'] as const).map((name) =>
            theirs(rival, source, instances, matrices, seed, name, thresholds[name]),
          )
        : [theirs(rival, source, instances, matrices, seed, 'its own', none)],
    ),
  ];
}

function ours(
  source: RecordedSource,
  instances: number,
  matrices: number,
  seed: number,
  name: '0' | 'default',
  threshold: (series: Series) => number,
): Showing {
  const random = seededRandom(seed);
  const reds = (change: (series: Series) => number) => {
    const questions = questionsOf(source, source.draw(instances, random), { threshold, change });
    return answersTo(questions, { instances, final: true }).map(({ verdict }) => verdict === 'regression');
  };
  const showing = { rule: 'this product', source: '', threshold: name, instances };
  return { ...showing, ...shares(source, matrices, random, reds) };
}

function theirs(
  rival: Rival,
  source: RecordedSource,
  instances: number,
  matrices: number,
  seed: number,
  name: Showing['threshold'],
  threshold: (series: Series) => number,
): Showing {
  const random = seededRandom(seed);
  const reds = (change: (series: Series) => number) =>
    source.series.map((series, index) => {
      const sides = source.sides[index]!.filter((side) => side !== null);
      const observed = { metric: series.metric, sides, threshold: threshold(series), change: change(series) };
      return sides.length >= instances && rival.isRed(observed, instances, random);
    });
  const showing = { rule: rival.name, source: rival.source, threshold: name, instances };
  return { ...showing, ...shares(source, matrices, random, reds) };
}

function shares(
  source: RecordedSource,
  matrices: number,
  random: Random,
  reds: (change: (series: Series) => number) => boolean[],
): Pick<Showing, 'falseRed' | 'found'> {
  let falseReds = 0;
  for (let matrix = 0; matrix < matrices; matrix += 1) if (reds(none).includes(true)) falseReds += 1;
  const found: Record<string, number> = {};
  for (const change of CHANGES) {
    let red = 0;
    const repetitions = Math.ceil(matrices / 4);
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      // One case is changed, in all that its requests cost.
      const caseKey = source.series[random.below(source.series.length)]!.caseKey;
      const changed = new Set(
        source.series.filter(({ caseKey: own, metric }) => own === caseKey && metric !== SERVICE_MEMORY.metric),
      );
      const result = reds((series) => (changed.has(series) ? change : 0));
      red += source.series.filter((series, index) => result[index] && changed.has(series)).length / changed.size;
    }
    found[`${change * 100} %`] = red / repetitions;
  }
  return { falseRed: falseReds / matrices, found };
}
