import { answersTo } from '../../../src/core/comparison/decision.ts';
import { mean } from '../../../src/core/statistics/moderated-variance.ts';
import { type Random, seededRandom } from '../../../src/core/statistics/random.ts';
import {
  atDefault,
  type GatedMetric,
  METRICS,
  none,
  questionsOf,
  SERVICE_MEMORY,
  type Series,
  type Source,
} from './source.ts';

export const CHANGES = [0.01, 0.02, 0.05, 0.1];
export const BUDGETS = [3, 5, 7, 10, 14, 20];
export const THRESHOLDS = { 0: none, default: atDefault } as const;
export type ThresholdName = keyof typeof THRESHOLDS;

export interface Detection {
  metric: GatedMetric;
  threshold: ThresholdName;
  change: number;
  instances: number;
  /** Of a matrix wall clock, as it was recorded, or null; of a single case its load alone. */
  seconds: number | null;
  /** Share of the repetitions in which what was changed was called a regression. */
  found: number;
}

function metricsOf({ series }: Source): GatedMetric[] {
  return (Object.keys(METRICS) as GatedMetric[]).filter((name) => series.some(({ metric }) => metric === name));
}

/**
 * One series is changed, the others are not, and the whole matrix is decided together. Who takes more memory takes it in
 * every case: of memory all cases are changed and the service is asked. Changes within the limit are left out.
 */
export function detections(source: Source, repetitions: number, seed: number): Detection[] {
  const random = seededRandom(seed);
  const result: Detection[] = [];
  for (const instances of BUDGETS.filter((each) => each <= source.mostInstances)) {
    const seconds = source.instanceSeconds === null ? null : instances * source.instanceSeconds;
    for (const metric of metricsOf(source)) {
      for (const threshold of Object.keys(THRESHOLDS) as unknown as ThresholdName[]) {
        for (const change of CHANGES.filter((each) => each > THRESHOLDS[threshold]({ metric } as Series))) {
          let red = 0;
          for (let repetition = 0; repetition < repetitions; repetition += 1) {
            if (isFound(source, { metric, threshold, change, instances }, random)) red += 1;
          }
          result.push({ metric, threshold, change, instances, seconds, found: red / repetitions });
        }
      }
    }
  }
  return result;
}

function isFound(
  source: Source,
  { metric, threshold, change, instances }: Pick<Detection, 'metric' | 'threshold' | 'change' | 'instances'>,
  random: Random,
): boolean {
  const own = source.series.filter((series) => series.metric === metric);
  const ofService = metric === SERVICE_MEMORY.metric;
  const changed = ofService ? own : [own[random.below(own.length)]!];
  const questions = questionsOf(source, source.draw(instances, random), {
    threshold: THRESHOLDS[threshold],
    change: (series) => (changed.includes(series) ? change : 0),
  });
  const { id } = ofService ? SERVICE_MEMORY : changed[0]!;
  return answersTo(questions, { instances, final: true }).find((each) => each.id === id)!.verdict === 'regression';
}

/** A single case with a single gated metric at threshold 0: what it takes to find a change there. */
export function singleDetections(source: Source, draws: number, seed: number): Detection[] {
  const random = seededRandom(seed);
  const result: Detection[] = [];
  for (const instances of BUDGETS.filter((each) => each <= source.mostInstances)) {
    for (const change of CHANGES) {
      const found = new Map<string, boolean[]>();
      for (let draw = 0; draw < draws; draw += 1) {
        const truth = { threshold: none, change: () => change };
        for (const question of questionsOf(source, source.draw(instances, random), truth)) {
          const isFound = answersTo([question], { instances, final: true })[0]!.verdict === 'regression';
          found.set(question.id, [...(found.get(question.id) ?? []), isFound]);
        }
      }
      for (const metric of metricsOf(source).filter((each) => each !== SERVICE_MEMORY.metric)) {
        const own = source.series.filter((one) => one.metric === metric);
        const all = own.flatMap(({ id }) => found.get(id)!);
        const seconds = instances * mean(own.map(({ caseKey }) => source.caseSeconds(caseKey)));
        const share = all.filter(Boolean).length / all.length;
        result.push({ metric, threshold: 0, change, instances, seconds, found: share });
      }
    }
  }
  return result;
}
