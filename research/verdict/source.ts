import type { CaseSeries, Hypothesis } from '../../src/core/comparison/hypothesis.ts';
import { logBorders } from '../../src/core/comparison/thresholds.ts';
import { DEFAULT_LIMITS } from '../../src/core/config/gate.ts';
import { metricNamed } from '../../src/core/metrics/registry.ts';
import type { Random } from '../../src/core/statistics/random.ts';
import { hypothesesFrom } from './hypotheses.ts';

export type GatedMetric =
  | 'throughput'
  | 'cpu-per-request'
  | 'latency-p50'
  | 'latency-p90'
  | 'latency-p99'
  | 'memory-peak';

/** A gated metric of a case; of memory also of the service, whose key is then that of all its cases. */
export interface Series {
  id: string;
  caseKey: string;
  metric: GatedMetric;
  /** Of the case in the mean of its endpoint. */
  weight: number;
  /** Absent of a service. */
  like?: NonNullable<CaseSeries['like']>;
}

/** Where null comparisons are drawn from: what was recorded, or a model of noise. */
export interface Source {
  name: string;
  /** Machine, day and number of rounds of a recording; null of a model. */
  about: string | null;
  /** How the trials of a recording were paired; null of a model. */
  pairing: 'duet' | 'interleaved' | null;
  series: readonly Series[];
  /** Of a single matrix. */
  mostRounds: number;
  /**
   * Of wall clock, from one start of both sides to the next, with all cases; null of a model. Of duets without the
   * solo trials beside them: a limit of 0 lets no share of the CPU pass as equal, as the default ones do.
   */
  roundSeconds: number | null;
  /** Of load, for one round of a case. */
  caseSeconds(caseKey: string): number;
  /**
   * For each series its ln(candidate/baseline) of so many rounds, up is worse; NaN where one was not valid. Of a recording no round
   * comes twice, and the two sides are exchanged at random.
   */
  draw(rounds: number, random: Random): number[][];
  /** One machine of a model whose machines differ: each of its cases scatters the same in all of its runs. */
  machine?(random: Random): Source;
}

function usual(name: GatedMetric): { better: 'higher' | 'lower'; limit: number } {
  const { better } = metricNamed(name)!;
  const { maxIncrease, maxDecrease } = DEFAULT_LIMITS[name]!;
  return { better, limit: (better === 'lower' ? maxIncrease : maxDecrease)!.value };
}

export const METRICS: Record<GatedMetric, { better: 'higher' | 'lower'; limit: number }> = {
  throughput: usual('throughput'),
  'cpu-per-request': usual('cpu-per-request'),
  'latency-p50': usual('latency-p50'),
  'latency-p90': usual('latency-p90'),
  'latency-p99': usual('latency-p99'),
  'memory-peak': usual('memory-peak'),
};

export const METRIC_NAMES = Object.keys(METRICS) as GatedMetric[];

/** A worsening by a share, 0.02 for 2 %, on the scale of decisions. */
function worsening(metric: GatedMetric, change: number): number {
  return logBorders(METRICS[metric], { kind: 'ratio', value: change }, 1).worse;
}

/** Each series' threshold and true change, as shares. */
export interface Truth {
  threshold(series: Series): number;
  change(series: Series): number;
}

export const atDefault = ({ metric }: Series): number => METRICS[metric].limit;
export const none = (): number => 0;

/** A hypothesis without values: for each case in its groups the place of its series. */
type Shape = Omit<Hypothesis, 'groups'> & { places: readonly (readonly number[])[] };

const shapes = new WeakMap<readonly Series[], Map<Truth['threshold'], Shape[]>>();

/** What is tested of drawn rounds with the true change put on top. */
export function hypothesesOf({ series }: Source, draws: readonly number[][], truth: Truth): Hypothesis[] {
  const filled = series.map((one, index) => {
    const shift = worsening(one.metric, truth.change(one));
    const values = draws[index]!.flatMap((value, at) =>
      Number.isNaN(value) ? [] : { round: at + 1, value: value + shift },
    );
    const { weight, like } = one;
    return { values, weight, ...(like === undefined ? {} : { like }) };
  });
  return shapesOf(series, truth.threshold).map(({ places, ...hypothesis }) => ({
    ...hypothesis,
    groups: places.map((group) => group.map((place) => filled[place]!)),
  }));
}

/** As the product has them, which depends on limits and not on values. */
function shapesOf(series: readonly Series[], threshold: Truth['threshold']): Shape[] {
  const known = shapes.get(series)?.get(threshold);
  if (known !== undefined) return known;
  const empty = series.map((one) => {
    const { worse, better } = logBorders(METRICS[one.metric], { kind: 'ratio', value: threshold(one) }, 1);
    return { ...one, threshold: worse, improvement: better, values: [{ round: 1, value: 0 }] };
  });
  const found = hypothesesFrom(empty).map(({ groups, ...hypothesis }) => ({
    ...hypothesis,
    places: groups.map((group) => group.map((own) => empty.indexOf(own as (typeof empty)[number]))),
  }));
  shapes.set(series, new Map([...(shapes.get(series) ?? []), [threshold, found]]));
  return found;
}

/** What a verdict waits for: cases by themselves may be red, and hold up nothing. */
export function isRequired({ level }: Pick<Hypothesis, 'level'>): boolean {
  return level !== 'case';
}
