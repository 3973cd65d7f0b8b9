import { metricNamed } from '../metrics/registry.ts';
import { type CommonRounds, commonRounds, independentSeries } from '../statistics/independent-series.ts';
import { mean } from '../statistics/moderated-variance.ts';
import type { RoundLogRatio } from '../statistics/round-log-ratio.ts';
import type { RoundMean } from '../statistics/round-mean.ts';
import {
  leastSerialCorrelation,
  serialCorrelationOf,
  withSerialCorrelation,
} from '../statistics/serial-correlation.ts';
import { skewnessOf } from '../statistics/skewness.ts';
import { varianceScatter } from '../statistics/variance-scatter.ts';
import type { Hypothesis } from './hypothesis.ts';
import { measuredWeights } from './measured-weights.ts';
import { type RoundsTogether, roundsTogether } from './rounds-together.ts';
import { withSpoiltPulledIn } from './spoilt-rounds.ts';
import { type Seen, variancesOf } from './variances.ts';

/** What is known of a hypothesis' ratio at a look, on the log scale. */
export interface RatioEstimate extends RoundMean {
  hypothesis: Hypothesis;
}

/**
 * A mean over rounds for each hypothesis, with a standard error from its own rounds; what few rounds of an endpoint or a case
 * tell too little of, those of its neighbours tell beside them. What scatters more than its neighbours is judged by its own scatter.
 *
 * Student's t takes rounds to be independent and their values to be symmetric. Whether they are is seen in the residuals of all
 * hypotheses of a level together, and what they are found to be is allowed for: rounds that hang together make a
 * standard error larger and its degrees of freedom fewer, skewness a critical value larger. A run in which neither shows pays
 * next to nothing for it.
 */
export function estimatesOf(asMeasured: readonly Hypothesis[], upToRound: number): RatioEstimate[] {
  const hypotheses = withSpoiltPulledIn(asMeasured, upToRound);
  const valuesOf = (groups: Hypothesis['groups']) => {
    const { rounds, ...known } = roundsTogether({ groups }, upToRound);
    const values = rounds.map(({ value }) => value);
    return { ...known, values, residuals: residualsOf(rounds) };
  };
  const series = new Set(hypotheses.flatMap(({ groups }) => groups.flat()));
  const ofSeries = new Map([...series].map((own) => [own, valuesOf([[own]])]));
  const weighed = measuredWeights(hypotheses, upToRound);
  const seen = hypotheses.map((hypothesis, index): SeenTogether => {
    const groups = weighed[index]!;
    const own = hypothesis.groups.flat();
    const [first, ...others] = own;
    const alone = first === undefined || others.length > 0 ? undefined : ofSeries.get(first);
    const ofCases = own.map((each) => ofSeries.get(each)!.residuals);
    return { hypothesis, groups, ...(alone ?? valuesOf(groups)), ofCases };
  });
  const cases = poolsOf([...ofSeries.values()].map(({ residuals }) => ({ name: 'case', residuals })));
  const levels = poolsOf(seen.map(({ hypothesis, residuals }) => ({ name: hypothesis.level, residuals })));
  const variances = variancesOf(seen, upToRound);
  const least = leastSerialCorrelation(commonByMetric(seen));
  return seen.map(({ hypothesis, values, worth, degreesOfFreedom }) => {
    const count = values.length;
    const variance = variances.get(hypothesis);
    const unknown = { hypothesis, count, mean: mean(values), skewness: 0 };
    if (variance === undefined) return { ...unknown, standardError: Number.NaN, degreesOfFreedom: 0 };
    const level = levels.get(hypothesis.level)!;
    const rho = Math.max(level.rho, cases.get('case')?.rho ?? 0);
    const found = withSerialCorrelation(count, rho);
    const allowed = withSerialCorrelation(count, Math.max(rho, least));
    // Of n - 1: what neighbours lend is more, what cases that are missing from some rounds take away is less.
    const known = (variance.degreesOfFreedom / (count - 1)) * (degreesOfFreedom / (count - 1));
    return {
      ...unknown,
      standardError: Math.sqrt(variance.value / worth) * allowed.inflation,
      degreesOfFreedom: allowed.degreesOfFreedom * known,
      skewness: level.skewness,
      chance: {
        scatter: level.scatter,
        independent: level.independent,
        sensitivity: allowed.sensitivity,
        standardErrorShare: found.inflation / allowed.inflation,
        degreesOfFreedom: found.degreesOfFreedom * known,
      },
    };
  });
}

/** How alike the cases of each metric are, but for what one process keeps for all of them and what is alike by that. */
function commonByMetric(seen: readonly Seen[]): CommonRounds[] {
  const byMetric = new Map<string, (readonly RoundLogRatio[])[]>();
  for (const { hypothesis, residuals, ofCases } of seen) {
    if (ofCases.length !== 1 || residuals.length < 3 || metricNamed(hypothesis.metric)?.ofProcess) continue;
    const known = byMetric.get(hypothesis.metric) ?? [];
    known.push(residuals);
    byMetric.set(hypothesis.metric, known);
  }
  return [...byMetric.values()].flatMap((series) => commonRounds(series) ?? []);
}

type SeenTogether = Seen & Omit<RoundsTogether, 'rounds'>;

interface Pool {
  rho: number;
  skewness: number;
  scatter: number;
  /** That all are known from. */
  independent: number;
}

/** What all series of a name show together. */
function poolsOf(all: readonly { name: string; residuals: readonly RoundLogRatio[] }[]): Map<string, Pool> {
  const byName = new Map<string, (readonly RoundLogRatio[])[]>();
  for (const { name, residuals } of all) {
    if (residuals.length < 3) {
      if (!byName.has(name)) byName.set(name, []);
      continue;
    }
    const known = byName.get(name) ?? [];
    known.push(residuals);
    byName.set(name, known);
  }
  return new Map(
    [...byName].map(([name, all]) => {
      const series = all.map((residuals) => residuals.map(({ value }) => value));
      const count = series.length === 0 ? 0 : mean(series.map(({ length }) => length));
      const independent = independentSeries(all);
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

function residualsOf(rounds: readonly RoundLogRatio[]): RoundLogRatio[] {
  const centre = mean(rounds.map(({ value }) => value));
  return rounds.map(({ round, value }) => ({ round, value: value - centre }));
}
