import { gatedOn } from '../../../src/core/comparison/gating.ts';
import type { Question } from '../../../src/core/comparison/question.ts';
import { logBorders } from '../../../src/core/comparison/thresholds.ts';
import { overCases } from '../../../src/core/comparison/whole-service.ts';
import { metrics } from '../../../src/core/metrics/registry.ts';
import { DEFAULTS } from '../../../src/core/spec/defaults.ts';
import type { Random } from '../../../src/core/statistics/random.ts';

export type GatedMetric = 'throughput' | 'cpu-per-request' | 'latency-p50' | 'memory-peak';

/** A gated metric of a case. */
export interface Series {
  id: string;
  caseKey: string;
  metric: GatedMetric;
  group: string;
}

/** Where null comparisons are drawn from: what was recorded, or a model of noise. */
export interface Source {
  name: string;
  /** Machine, day and number of instances of a recording; null of a model. */
  about: string | null;
  /** How the slices of a recording were paired; null of a model. */
  pairing: 'duet' | 'interleaved' | null;
  series: readonly Series[];
  /** Of a single matrix. */
  mostInstances: number;
  /** Of wall clock, from one start of both sides to the next, with all cases; null of a model. */
  instanceSeconds: number | null;
  /** Of load, for one instance of a case. */
  caseSeconds(caseKey: string): number;
  /**
   * For each series its ln(candidate/baseline) of so many instances, none of them twice, up is worse, the two sides
   * exchanged at random; NaN where one was not valid.
   */
  draw(instances: number, random: Random): number[][];
}

const share = (text: string) => Number.parseFloat(text) / 100;

export const METRICS: Record<GatedMetric, { better: 'higher' | 'lower'; limit: number }> = {
  throughput: { better: 'higher', limit: share(DEFAULTS.limits.throughput['max-decrease']) },
  'cpu-per-request': { better: 'lower', limit: share(DEFAULTS.limits['cpu-per-request']['max-increase']) },
  'latency-p50': { better: 'lower', limit: share(DEFAULTS.limits['latency-p50']['max-increase']) },
  'memory-peak': { better: 'lower', limit: share(DEFAULTS.limits['memory-peak']['max-increase']) },
};

/** A worsening by a share, 0.02 for 2 %, on the scale of decisions. */
export function worsening(metric: GatedMetric, change: number): number {
  return logBorders(METRICS[metric], { kind: 'ratio', value: change }, 1).worse;
}

/** Each series' threshold and true change, as shares. */
export interface Truth {
  threshold(series: Series): number;
  change(series: Series): number;
}

export const atDefault = ({ metric }: Series): number => METRICS[metric].limit;
export const none = (): number => 0;

/** What the decision is asked of drawn instances with the true change put on top: of each series, and of the service. */
export function questionsOf(source: Source, draws: readonly number[][], truth: Truth): Question[] {
  const ofCases = source.series.map((series, index) => {
    const shift = worsening(series.metric, truth.change(series));
    const borders = logBorders(METRICS[series.metric], { kind: 'ratio', value: truth.threshold(series) }, 1);
    return {
      id: series.id,
      group: series.group,
      threshold: borders.worse,
      improvement: borders.better,
      logRatios: draws[index]!.flatMap((value, at) =>
        Number.isNaN(value) ? [] : { instance: at + 1, value: value + shift },
      ),
    };
  });
  const memory = ofCases.filter((_, index) => source.series[index]!.metric === SERVICE_MEMORY.metric);
  return [
    ...ofCases,
    { ...memory[0]!, id: SERVICE_MEMORY.id, group: SERVICE_MEMORY.group, logRatios: overCases(memory) },
  ];
}

/** Seconds that a pair of slices takes, where nothing was recorded: the product's own. */
export const DUET_SECONDS = { wrk: 2, k6: 3 } as const;

/** The questions that the default gate asks of 16 cases: two endpoints, wrk and k6, keep-alive, connections. */
export function sixteenCases(): Series[] {
  const keys = ['ping', 'db-ping'].flatMap((endpoint) =>
    ['wrk', 'k6'].flatMap((generator) =>
      ['keep-alive', 'close'].flatMap((reuse) =>
        [100, 1000].map((connections) => `node/${endpoint}/direct/${generator}/${reuse}/${connections}`),
      ),
    ),
  );
  return keys.flatMap((caseKey) => {
    const generator = caseKey.includes('/wrk/') ? 'wrk' : 'k6';
    return gatedMetrics(generator, caseKey.includes('/db-')).map((metric) => seriesOf(caseKey, metric, generator));
  });
}

/** What the product gates on a case of an endpoint that both generators load, by whether it asks the database. */
export function gatedMetrics(generator: 'wrk' | 'k6', database: boolean): GatedMetric[] {
  const load = { wrk: true, fixedRate: true, sendsStatements: database };
  return (Object.keys(METRICS) as GatedMetric[]).filter((name) => {
    const metric = metrics.find((each) => each.name === name)!;
    return gatedOn(metric, { generator, key: '' }, load) !== null;
  });
}

/** What the whole service is asked beside its cases; `questionsOf` asks it as the product does. */
export const SERVICE_MEMORY: Series = seriesOf('*', 'memory-peak', 'all');

export function seriesOf(caseKey: string, metric: GatedMetric, generator: string): Series {
  return { id: `${caseKey} ${metric}`, caseKey, metric, group: `${metric} ${generator}` };
}
