import { answersTo } from '../../../src/core/comparison/decision.ts';
import type { Question } from '../../../src/core/comparison/question.ts';
import { foretoldOf } from '../../../src/core/plan/foretelling.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { readSpec } from '../../../src/core/spec/read.ts';
import { ascending, median, quantile } from '../../../src/core/statistics/quantile.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { rowsOf } from '../../noise/deviations.ts';
import type { Recording } from '../../noise/noise-line.ts';
import { recordedSeriesOf } from '../../noise/recorded-series.ts';
import { recordedSource } from './recorded.ts';
import { atDefault, type GatedMetric, METRICS, questionsOf, SERVICE_MEMORY } from './source.ts';

/** What `plan` foretells from one half of a recording's instances, and what is found in the other half. */
export interface ToldAndFound {
  metric: GatedMetric;
  instances: number;
  /** How far beyond its limit a change is called in nine of ten matrices, as a logarithm; the median of what was asked. */
  told: number;
  /** How far beyond it a change had to be, in nine of ten matrices, to be called: `told` times `factor`. */
  found: number;
  /** In nine of ten matrices a change had to be so many times what was told of it, question by question. */
  factor: number;
  /** That both were told from: half of the recording. */
  recorded: number;
}

const INSTANCES = [5, 7, 10];
/** Beyond so many times what was told it is not looked for. */
const FARTHEST = 100;

/** With the true change of everything at its limit, so that every question is open to the end, as `plan` takes it. */
export function toldAndFound(name: string, { header, slices }: Recording, draws: number, seed: number): ToldAndFound[] {
  const half = (rest: number) => slices.filter(({ instance }) => instance % 2 === rest);
  const deviations = rowsOf(recordedSeriesOf(header.pairing, half(1)));
  const source = recordedSource(name, header, half(0));
  const spec = defaultLimits(header.spec);
  const plan = planOf(spec, { seed: 1 });
  const random = seededRandom(seed);
  return INSTANCES.filter((instances) => instances <= source.mostInstances).flatMap((instances) => {
    const known = { instances, deviations, asksDatabase: (endpoint: string) => endpoint.startsWith('db-') };
    const told = new Map(
      foretoldOf(spec, plan, known)[0]!.questions.flatMap(({ case: { key }, metric, together, beyond }) =>
        beyond === null ? [] : [[together === null ? `${key} ${metric.name}` : SERVICE_MEMORY.id, beyond] as const],
      ),
    );
    return (Object.keys(METRICS) as GatedMetric[]).flatMap((metric) => {
      const ids = [...told.keys()].filter((id) => id.endsWith(` ${metric}`));
      if (ids.length === 0) return [];
      const asked = Array.from({ length: draws }, (_, draw) => {
        const questions = questionsOf(source, source.draw(instances, random), {
          threshold: atDefault,
          change: atDefault,
        });
        const id = ids[draw % ids.length]!;
        return { told: told.get(id)!, found: calledFrom(questions, id, instances, told.get(id)!) };
      });
      const factor = quantile(ascending(asked.map((each) => each.found / each.told)), 0.9);
      const usual = median(asked.map((each) => each.told));
      return [{ metric, instances, told: usual, found: usual * factor, factor, recorded: source.mostInstances }];
    });
  });
}

/** How far a question's ratios must be moved for it to be called a regression, to a hundredth of what was told. */
function calledFrom(questions: readonly Question[], id: string, instances: number, told: number): number {
  const isCalled = (by: number) => {
    const moved = questions.map((question) => {
      if (question.id !== id) return question;
      const logRatios = question.logRatios.map((each) => ({ ...each, value: each.value + by }));
      return { ...question, logRatios };
    });
    const answer = answersTo(moved, { instances, final: true }).find((each) => each.id === id)!;
    return answer.verdict === 'regression';
  };
  let [low, high] = [-told, 2 * told];
  while (!isCalled(high)) {
    [low, high] = [high, 2 * high];
    if (high > FARTHEST * told) return Number.POSITIVE_INFINITY;
  }
  while (high - low > 0.01 * told) {
    const middle = (low + high) / 2;
    if (isCalled(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** A recording is made with limits of 0; the change of a limit is what people ask for. */
function defaultLimits(text: string) {
  return readSpec(text.replaceAll(/^ {2}[a-z0-9-]+: \{max-(in|de)crease: 0%\}\n/gm, ''), 'wrkbench.yml');
}
