import { decisionsOn } from '../../src/core/comparison/decision.ts';
import type { Hypothesis } from '../../src/core/comparison/hypothesis.ts';
import { mean } from '../../src/core/statistics/moderated-variance.ts';
import { median } from '../../src/core/statistics/quantile.ts';
import { seededRandom } from '../../src/core/statistics/random.ts';
import { hypothesesOf, isRequired, none, type Source } from './source.ts';

/** What one run says that another like it would find, and whether it is found in one that has such a change. */
export interface DetectableAndFound {
  rounds: number;
  /** Of the services and endpoints that were told something. */
  found: number;
  /** Median of what was told, as a logarithm. */
  detectable: number;
  /** Share of services and endpoints that see too little for a verdict, of which nothing is told. */
  refused: number;
}

const TOLD_ROUNDS = [10, 28];

/** Ten times the usual limit of 5 %: a comparison that would not see even that counts as not measured. */
const MOST_SHOWN = Math.log1p(0.5);

/** Limits are 0 and nothing changes in the run that tells; in the other one everything changes by what was told of it. */
export function detectableAndFound(source: Source, pairs: number, seed: number): DetectableAndFound[] {
  const random = seededRandom(seed);
  return TOLD_ROUNDS.map((rounds) => {
    const found: boolean[] = [];
    const detectable: number[] = [];
    let all = 0;
    for (let pair = 0; pair < pairs; pair += 1) {
      const machine = source.machine?.(random) ?? source;
      const [one, other] = [1, 2].map(() =>
        hypothesesOf(machine, machine.draw(rounds, random), { threshold: none, change: none }),
      ) as [Hypothesis[], Hypothesis[]];
      const changes = decisionsOn(one, { rounds, final: true }).map(({ minimumDetectable }) => minimumDetectable);
      const changed = other.map((hypothesis, index) => changedBy(hypothesis, changes[index] ?? 0));
      for (const [index, { verdict }] of decisionsOn(changed, { rounds, final: true }).entries()) {
        const change = changes[index]!;
        if (!isRequired(other[index]!)) continue;
        all += 1;
        if (change === null || change > MOST_SHOWN) continue;
        detectable.push(change);
        found.push(verdict === 'regression');
      }
    }
    return {
      rounds,
      found: mean(found.map(Number)),
      detectable: median(detectable),
      refused: 1 - detectable.length / all,
    };
  });
}

/** Scatter is judged by residuals, which a change of the level leaves as they are. */
function changedBy(hypothesis: Hypothesis, change: number): Hypothesis {
  if (!isRequired(hypothesis)) return hypothesis;
  const groups = hypothesis.groups.map((group) =>
    group.map(({ values, ...own }) => ({
      ...own,
      values: values.map(({ round, value }) => ({ round, value: value + change })),
    })),
  );
  return { ...hypothesis, groups };
}
