import { decisionsOn } from '../../src/core/comparison/decision.ts';
import { mean } from '../../src/core/statistics/moderated-variance.ts';
import { seededRandom } from '../../src/core/statistics/random.ts';
import { type GatedMetric, hypothesesOf, METRIC_NAMES, none, type Source } from './source.ts';

export const CHANGES = [0.02, 0.05, 0.1];
export const SINGLE_ROUNDS = [8, 10, 12, 20];

export interface Detection {
  metric: GatedMetric;
  change: number;
  rounds: number;
  /** Of load. */
  seconds: number;
  /** Share of the repetitions in which the change was called a regression. */
  found: number;
}

/** A single case with a single gated metric at a limit of 0: what it takes to find a change there. */
export function singleDetections(source: Source, draws: number, seed: number): Detection[] {
  const random = seededRandom(seed);
  return SINGLE_ROUNDS.filter((each) => each <= source.mostRounds).flatMap((rounds) =>
    CHANGES.flatMap((change) => {
      const found = new Map<string, boolean[]>();
      for (let draw = 0; draw < draws; draw += 1) {
        const truth = { threshold: none, change: () => change };
        for (const hypothesis of hypothesesOf(source, source.draw(rounds, random), truth)) {
          if (hypothesis.groups.flat().length > 1) continue;
          const alone = { ...hypothesis, share: 1, after: null };
          const isFound = decisionsOn([alone], { rounds, final: true })[0]!.verdict === 'regression';
          const own = found.get(hypothesis.id) ?? [];
          own.push(isFound);
          found.set(hypothesis.id, own);
        }
      }
      return METRIC_NAMES.flatMap((metric): Detection[] => {
        const own = source.series.filter((one) => one.metric === metric && metric !== 'memory-peak');
        if (own.length === 0) return [];
        const all = own.flatMap(({ id }) => found.get(id)!);
        const seconds = rounds * mean(own.map(({ caseKey }) => source.caseSeconds(caseKey)));
        return [{ metric, change, rounds, seconds, found: all.filter(Boolean).length / all.length }];
      });
    }),
  );
}
