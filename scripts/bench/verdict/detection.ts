import { answersTo } from '../../../src/core/comparison/decision.ts';
import { mean } from '../../../src/core/statistics/moderated-variance.ts';
import { seededRandom, shuffled } from '../../../src/core/statistics/random.ts';
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
  /** Of load, of the whole matrix until the budget ends. */
  seconds: number;
  /** Share of the changed cases that were called a regression. */
  found: number;
}

/** One case for each metric is changed, the others are not; the whole matrix is decided together. */
export function detections(source: Source, repetitions: number, seed: number): Detection[] {
  const random = seededRandom(seed);
  const budgets = BUDGETS.filter((instances) => instances <= source.mostInstances);
  const result: Detection[] = [];
  for (const instances of budgets) {
    for (const threshold of Object.keys(THRESHOLDS) as unknown as ThresholdName[]) {
      for (const change of CHANGES) {
        const found = new Map<GatedMetric, number>();
        for (let repetition = 0; repetition < repetitions; repetition += 1) {
          const changed = oneOfEach(shuffled(source.series, random));
          const truth = {
            threshold: THRESHOLDS[threshold],
            // Who takes more memory takes it in every case.
            change: (series: Series) =>
              changed.get(series.metric) === series || series.metric === SERVICE_MEMORY.metric ? change : 0,
          };
          const questions = questionsOf(source, source.draw(instances, random), truth);
          const answers = new Map(
            answersTo(questions, { instances, final: true }).map((answer) => [answer.id, answer]),
          );
          for (const [metric, { id }] of changed) {
            if (answers.get(id)!.verdict === 'regression') found.set(metric, (found.get(metric) ?? 0) + 1);
          }
        }
        for (const metric of Object.keys(METRICS) as GatedMetric[]) {
          const share = (found.get(metric) ?? 0) / repetitions;
          result.push({ metric, threshold, change, instances, seconds: secondsOf(source, instances), found: share });
        }
      }
    }
  }
  return result;
}

/** A single case with a single gated metric at threshold 0: what it takes to find a change there. */
export function singleDetections(source: Source, draws: number, seed: number): Detection[] {
  const random = seededRandom(seed);
  const metrics = Object.keys(METRICS) as GatedMetric[];
  const result: Detection[] = [];
  for (const instances of BUDGETS.filter((each) => each <= source.mostInstances)) {
    for (const change of CHANGES) {
      const found = new Map<string, boolean[]>();
      for (let draw = 0; draw < draws; draw += 1) {
        const questions = questionsOf(source, source.draw(instances, random), {
          threshold: none,
          change: () => change,
        });
        for (const question of questions) {
          const isFound = answersTo([question], { instances, final: true })[0]!.verdict === 'regression';
          found.set(question.id, [...(found.get(question.id) ?? []), isFound]);
        }
      }
      for (const metric of metrics) {
        const own = judgedSeries(source.series, metric);
        const all = own.flatMap(({ id }) => found.get(id)!);
        const seconds = secondsFor(source, own, instances);
        const share = all.filter(Boolean).length / all.length;
        result.push({ metric, threshold: 0, change, instances, seconds, found: share });
      }
    }
  }
  return result;
}

/** Of memory the service as a whole. */
function oneOfEach(series: readonly Series[]): Map<GatedMetric, Series> {
  return new Map([...series, SERVICE_MEMORY].map((one) => [one.metric, one]));
}

function judgedSeries(series: readonly Series[], metric: GatedMetric): Series[] {
  return metric === SERVICE_MEMORY.metric ? [SERVICE_MEMORY] : series.filter((one) => one.metric === metric);
}

/** Of load: a case's own, or all cases' for what is asked of the service. */
function secondsFor(source: Source, own: readonly Series[], instances: number): number {
  if (own.includes(SERVICE_MEMORY)) return secondsOf(source, instances);
  return instances * mean(own.map(({ caseKey }) => source.caseSeconds(caseKey)));
}

/** Of load, for all cases. */
export function secondsOf(source: Source, instances: number): number {
  const cases = [...new Set(source.series.map(({ caseKey }) => caseKey))];
  return instances * cases.reduce((sum, caseKey) => sum + source.caseSeconds(caseKey), 0);
}
