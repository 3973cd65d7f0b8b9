import { independentSeries } from '../statistics/independent-series.ts';
import { mean, sampleVariance } from '../statistics/moderated-variance.ts';
import type { RoundMean } from '../statistics/round-mean.ts';
import { serialCorrelationOf, withSerialCorrelation } from '../statistics/serial-correlation.ts';
import { skewnessOf } from '../statistics/skewness.ts';
import { type Hypothesis, roundValues } from './hypothesis.ts';

/** What is known of a hypothesis' ratio at a look, on the log scale. */
export interface RatioEstimate extends RoundMean {
  hypothesis: Hypothesis;
}

/** Nothing on a shared machine repeats better than this: standard deviation of a round, as a logarithm. */
const LEAST_DEVIATION = 5e-4;

/**
 * A mean over rounds for each hypothesis, with a standard error from its own rounds alone: what scatters more than its neighbours
 * is judged by its own scatter.
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
  return seen.map(({ hypothesis, values }) => {
    const count = values.length;
    const own = sampleVariance(values);
    const unknown = { hypothesis, count, mean: mean(values), skewness: 0 };
    if (own === null) return { ...unknown, standardError: Number.NaN, degreesOfFreedom: 0 };
    const level = levels.get(hypothesis.level)!;
    const rho = Math.max(level.rho, cases.get('case')?.rho ?? 0);
    const { inflation, degreesOfFreedom } = withSerialCorrelation(count, rho * RHO_MARGIN);
    const deviation = Math.max(Math.sqrt(own.value), LEAST_DEVIATION);
    return {
      ...unknown,
      standardError: (deviation * inflation) / Math.sqrt(count),
      degreesOfFreedom,
      skewness: level.skewness,
      knownFrom: level.independent,
    };
  });
}

/** Of few rounds an autocorrelation is found too small, by a quarter with 8 and by a fifth with 10 (`serialCorrelationOf`). */
const RHO_MARGIN = 1.2;

interface Pool {
  rho: number;
  skewness: number;
  /** That both are known from. */
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
    byName.set(name, [...(byName.get(name) ?? []), [...residuals]]);
  }
  return new Map(
    [...byName].map(([name, series]) => {
      const count = series.length === 0 ? 0 : mean(series.map(({ length }) => length));
      return [
        name,
        {
          rho: serialCorrelationOf(series, count),
          skewness: skewnessOf(series, count),
          independent: independentSeries(series, Math.round(count)),
        },
      ];
    }),
  );
}

function residualsOf(values: readonly number[]): number[] {
  const centre = mean(values);
  return values.map((value) => value - centre);
}
