import { independentSeries } from '../statistics/independent-series.ts';
import { mean, moderatedVariance, sampleVariance, type Variance } from '../statistics/moderated-variance.ts';
import type { RoundMean } from '../statistics/round-mean.ts';
import { serialCorrelationOf, withSerialCorrelation } from '../statistics/serial-correlation.ts';
import { skewnessOf } from '../statistics/skewness.ts';
import { varianceScatter } from '../statistics/variance-scatter.ts';
import { type Hypothesis, roundValues } from './hypothesis.ts';

/** More of them tell nothing more of how much they scatter, and a record of ten thousand cases would take minutes. */
const MOST_NEIGHBOURS = 500;

/** What is known of a hypothesis' ratio at a look, on the log scale. */
export interface RatioEstimate extends RoundMean {
  hypothesis: Hypothesis;
}

/** Nothing on a shared machine repeats better than this: standard deviation of a round, as a logarithm. */
const LEAST_DEVIATION = 5e-4;

/**
 * A mean over rounds for each hypothesis, with a standard error from its own rounds; what few rounds of an endpoint or a case
 * tell too little of, those of its neighbours tell beside them. What scatters more than its neighbours is judged by its own scatter.
 *
 * Student's t takes rounds to be independent and their values to be symmetric. Whether they are is seen in the residuals of all
 * hypotheses of a level together, and what they are found to be is allowed for: rounds that hang together make a
 * standard error larger and its degrees of freedom fewer, skewness a critical value larger. A run in which neither shows pays
 * next to nothing for it.
 */
export function estimatesOf(hypotheses: readonly Hypothesis[], upToRound: number): RatioEstimate[] {
  const valuesOf = (groups: Hypothesis['groups']) => {
    const values = roundValues({ groups }, upToRound);
    return { values, residuals: residualsOf(values) };
  };
  const series = new Set(hypotheses.flatMap(({ groups }) => groups.flat()));
  const ofSeries = new Map([...series].map((own) => [own, valuesOf([[own]])]));
  const seen = hypotheses.map((hypothesis) => {
    const [first, ...others] = hypothesis.groups.flat();
    const alone = first === undefined || others.length > 0 ? undefined : ofSeries.get(first);
    return { hypothesis, ...(alone ?? valuesOf(hypothesis.groups)) };
  });
  const cases = poolsOf([...ofSeries.values()].map(({ residuals }) => ({ name: 'case', residuals })));
  const levels = poolsOf(seen.map(({ hypothesis, residuals }) => ({ name: hypothesis.level, residuals })));
  const variances = variancesOf(seen);
  return seen.map(({ hypothesis, values }) => {
    const count = values.length;
    const variance = variances.get(hypothesis);
    const unknown = { hypothesis, count, mean: mean(values), skewness: 0 };
    if (variance === undefined) return { ...unknown, standardError: Number.NaN, degreesOfFreedom: 0 };
    const level = levels.get(hypothesis.level)!;
    const rho = Math.max(level.rho, cases.get('case')?.rho ?? 0);
    const { inflation, degreesOfFreedom, sensitivity } = withSerialCorrelation(count, rho);
    return {
      ...unknown,
      standardError: Math.sqrt(variance.value / count) * inflation,
      degreesOfFreedom: (degreesOfFreedom * variance.degreesOfFreedom) / (count - 1),
      skewness: level.skewness,
      chance: { scatter: level.scatter, independent: level.independent, sensitivity },
    };
  });
}

interface Seen {
  hypothesis: Hypothesis;
  values: readonly number[];
  residuals: readonly number[];
}

/**
 * Of rounds; none where there are fewer than two of them. Endpoints and cases borrow from others of the same metric, as far as
 * their rounds are chance of their own (`independentSeries`): of rounds in which all go up and down together, the others tell nothing.
 */
function variancesOf(seen: readonly Seen[]): Map<Hypothesis, Variance> {
  const groups = new Map<string, (Seen & { variance: Variance })[]>();
  for (const one of seen) {
    const found = sampleVariance(one.values);
    if (found === null) continue;
    const variance = { ...found, value: Math.max(found.value, LEAST_DEVIATION ** 2) };
    const { level, metric, id } = one.hypothesis;
    const name = level === 'service' ? id : `${level} ${metric}`;
    const group = groups.get(name) ?? [];
    group.push({ ...one, variance });
    groups.set(name, group);
  }
  return new Map(
    [...groups.values()].flatMap((own) => {
      const count = Math.max(...own.map(({ values }) => values.length));
      const independent = independentSeries(
        own.map(({ residuals }) => residuals),
        count,
      );
      return own.map(({ hypothesis, variance }) => {
        const others = own.slice(0, MOST_NEIGHBOURS + 1).filter((each) => each.hypothesis !== hypothesis);
        const neighbours = others.slice(0, MOST_NEIGHBOURS).map((each) => each.variance);
        const worth = neighbours.length === 0 ? 0 : (independent - 1) / neighbours.length;
        return [hypothesis, moderatedVariance(variance, neighbours, worth)] as const;
      });
    }),
  );
}

interface Pool {
  rho: number;
  skewness: number;
  scatter: number;
  /** That all are known from. */
  independent: number;
}

/** What all series of a name show together. */
function poolsOf(all: readonly { name: string; residuals: readonly number[] }[]): Map<string, Pool> {
  const byName = new Map<string, number[][]>();
  for (const { name, residuals } of all) {
    if (residuals.length < 3) {
      if (!byName.has(name)) byName.set(name, []);
      continue;
    }
    const known = byName.get(name) ?? [];
    known.push([...residuals]);
    byName.set(name, known);
  }
  return new Map(
    [...byName].map(([name, series]) => {
      const count = series.length === 0 ? 0 : mean(series.map(({ length }) => length));
      const independent = independentSeries(series, Math.round(count));
      return [
        name,
        {
          rho: serialCorrelationOf(series, count, independent),
          skewness: skewnessOf(series, count, independent),
          scatter: varianceScatter(series, independent),
          independent,
        },
      ];
    }),
  );
}

function residualsOf(values: readonly number[]): number[] {
  const centre = mean(values);
  return values.map((value) => value - centre);
}
