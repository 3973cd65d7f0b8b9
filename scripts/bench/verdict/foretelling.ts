import { answersTo } from '../../../src/core/comparison/decision.ts';
import { foretoldOf } from '../../../src/core/plan/foretelling.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { readSpec } from '../../../src/core/spec/read.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
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
  /** Medians over the metric's questions: how far beyond its limit a change is called in nine of ten cases, as a logarithm. */
  told: number;
  found: number;
  /** Median of found by told, question by question. */
  factor: number;
}

const INSTANCES = [5, 7, 10];

/** With the true change at each limit, so that every question is open to the end, as `plan` takes it. */
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
      foretoldOf(spec, plan, known)[0]!.questions.map(({ case: { key }, metric, together, beyond }) => [
        together === null ? `${key} ${metric.name}` : SERVICE_MEMORY.id,
        beyond!,
      ]),
    );
    const found = new Map<string, number[]>();
    for (let draw = 0; draw < draws; draw += 1) {
      const truth = { threshold: atDefault, change: atDefault };
      const questions = questionsOf(source, source.draw(instances, random), truth);
      for (const { id, minimumDetectable } of answersTo(questions, { instances, final: true })) {
        const { threshold } = questions.find((question) => question.id === id)!;
        if (minimumDetectable !== null) found.set(id, [...(found.get(id) ?? []), minimumDetectable - threshold]);
      }
    }
    return (Object.keys(METRICS) as GatedMetric[]).flatMap((metric) => {
      const ids = [...told.keys()].filter((id) => id.endsWith(` ${metric}`) && found.has(id));
      if (ids.length === 0) return [];
      const [saying, seen] = [ids.map((id) => told.get(id)!), ids.map((id) => median(found.get(id)!))];
      const factor = median(seen.map((value, index) => value / saying[index]!));
      return [{ metric, instances, told: median(saying), found: median(seen), factor }];
    });
  });
}

/** A recording is made with limits of 0; the change of a limit is what people ask for. */
function defaultLimits(text: string) {
  return readSpec(text.replaceAll(/^ {2}[a-z0-9-]+: \{max-(in|de)crease: 0%\}\n/gm, ''), 'wrkbench.yml');
}
