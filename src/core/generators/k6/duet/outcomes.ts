import { UnreadableOutput } from '../../definition.ts';
import { figure, present } from '../../figures.ts';
import type { GeneratorOutcome } from '../../outcome.ts';
import { type K6Metrics, outcomeOfMetrics, taggedMetrics } from '../metrics.ts';
import { readK6Summary, record } from '../summary.ts';
import { countedMetric, type DuetLoad, SIDES, type Side, wholeMetric } from './sides.ts';

/** What one summary says of both sides, in the order of the requests. Throws `UnreadableOutput`, and nothing else. */
export function outcomesOfSummary(json: string): [GeneratorOutcome<'k6'>, GeneratorOutcome<'k6'>] {
  const { summary, metrics } = readK6Summary(json);
  const duet = record(record(summary.wrkbench).duet);
  const loadSeconds = figure(duet.loadSeconds);
  if (loadSeconds === undefined) {
    throw new UnreadableOutput(
      'This summary of k6 is not that of a duet: it does not say how long each side was loaded.',
    );
  }
  const load: DuetLoad = { rate: figure(duet.rate) ?? null, loadSeconds };
  const [first, second] = SIDES;
  return [outcomeOfSide(metrics, first, load), outcomeOfSide(metrics, second, load)];
}

function outcomeOfSide(metrics: K6Metrics, side: Side, load: DuetLoad): GeneratorOutcome<'k6'> {
  const counted = taggedMetrics(metrics, countedMetric('', side, load));
  const requests = counted.get('http_reqs')?.count;
  const all = metrics.get(wholeMetric('http_reqs', side))?.count;
  const users = metrics.get('vus_max')?.max;
  return {
    ...outcomeOfMetrics(counted, load.loadSeconds),
    ...present({
      leadInRequests: requests === undefined || all === undefined ? undefined : all - requests,
      // Of both sides together.
      connections: users === undefined ? undefined : users / 2,
      droppedIterations: droppedInLoad(metrics, counted, side, load),
    }),
  };
}

/** Of those dropped in the whole scenario, as many as the load lacks: k6 puts our tag on none that it drops. */
function droppedInLoad(metrics: K6Metrics, counted: K6Metrics, side: Side, { rate, loadSeconds }: DuetLoad) {
  const dropped = metrics.get(wholeMetric('dropped_iterations', side))?.count;
  if (dropped === undefined || rate === null) return dropped;
  const lacking = Math.round(rate * loadSeconds) - (counted.get('iterations')?.count ?? 0);
  return Math.max(0, Math.min(dropped, lacking));
}
