import { keepAliveName } from '../../src/core/measurement/names.ts';
import { DUET_SECONDS } from '../../src/core/plan/duets.ts';
import type { Random } from '../../src/core/statistics/random.ts';
import { autoregression, normal, skewedDown, studentOf3 } from './distributions.ts';
import { connectionsOf, generatorOf, isOfService, standardMatrix } from './matrix.ts';
import type { Series, Source } from './source.ts';

/** How the rounds of a null comparison scatter: nothing of it favours a side, and nothing is exchanged or shuffled. */
interface NoiseModel {
  name: string;
  /** By how much a case scatters more than usual. */
  scale?(index: number, random: Random): number;
  /** Mean 0, variance 1: what a case has for itself. */
  own?(random: Random, rounds: number): number[];
  /** Mean 0, variance 1: what all cases of a round have in common, and how much of their variance it is. */
  shared?: { values(random: Random, rounds: number): number[]; part: number };
  /** A logarithm that is added to all cases of a round. */
  start?(random: Random): number;
  /** Share of a case's rounds in which one of its sides, whichever, shows so many times its figure. */
  spoilt?: { share: number; times: number };
  /** Whether a case has nothing of a round, from 0. */
  isMissing?(index: number, round: number, rounds: number, random: Random): boolean;
}

const each = (value: (random: Random) => number) => (random: Random, rounds: number) =>
  Array.from({ length: rounds }, () => value(random));
const normals = each(normal);
const autoregressive = (rho: number) => (random: Random, rounds: number) => autoregression(random, rounds, rho);
/** A gamma distribution of this shape has a skewness of 2 / sqrt(shape). */
const skewed = (shape: number) => each((random) => skewedDown(random, shape));

const MODELS: readonly NoiseModel[] = [
  { name: 'normal' },
  { name: 'Student t with 3 degrees of freedom', own: each(studentOf3) },
  { name: 'cases that scatter unlike each other', scale: (_, random) => Math.exp(normal(random)) },
  { name: 'cases that scatter very unlike each other', scale: (_, random) => Math.exp(1.5 * normal(random)) },
  { name: 'every eighth case ten times noisier', scale: (index) => (index % 8 === 0 ? 10 : 1) },
  { name: 'a fixed rate that scatters eight times as much', scale: (index) => (index % 5 === 4 ? 8 : 1) },
  { name: 'each start 10 % up or down', start: (random) => (random.below(2) === 0 ? 0.1 : -0.1) },
  { name: 'rounds correlated by 0.3, each case on its own', own: autoregressive(0.3) },
  { name: 'rounds correlated by 0.6, each case on its own', own: autoregressive(0.6) },
  { name: 'rounds correlated by 0.3, all cases alike', shared: { values: autoregressive(0.3), part: 1 } },
  { name: 'rounds correlated by 0.6, all cases alike', shared: { values: autoregressive(0.6), part: 1 } },
  { name: 'skewness -1, each case on its own', own: skewed(4) },
  { name: 'skewness -2, each case on its own', own: skewed(1) },
  { name: 'skewness -1, all cases alike', shared: { values: skewed(4), part: 1 } },
  { name: 'skewness -2, all cases alike', shared: { values: skewed(1), part: 1 } },
  { name: 'one duet of twenty spoiled by a factor of 1.3', spoilt: { share: 0.05, times: 1.3 } },
  { name: 'one trial of five set aside', isMissing: (_index, _round, _rounds, random) => random.below(5) === 0 },
];

/**
 * As hard on a test that learns from few rounds as it gets: what cases have for themselves hides what they have in common, and what scatters
 * most has the fewest rounds.
 */
const EXTREME_MODELS: readonly NoiseModel[] = [
  { name: 'rounds correlated by 0.6, half of it common', shared: { values: autoregressive(0.6), part: 0.5 } },
  { name: 'skewness -2, half of it common', own: skewed(1), shared: { values: skewed(1), part: 0.5 } },
  {
    name: 'every fourth case three times noisier, and measured in the second half alone',
    scale: (index) => (index % 4 === 1 ? 3 : 1),
    isMissing: (index, round, rounds) => index % 4 === 1 && 2 * round < rounds,
  },
];

/**
 * Standard deviation of a round with one duet, as a logarithm: about as `research/recordings/noise/quiet.jsonl` has it, and of wrk's cases
 * with 1000 connections as `quiet-slow.jsonl` does, where CPU per request is of what was sent.
 */
function deviationOf({ caseKey, metric }: Pick<Series, 'caseKey' | 'metric'>): number {
  if (isOfService({ caseKey })) return 0.04;
  if (metric === 'memory-peak') return 0.1;
  if (metric === 'latency-p99') return 0.25;
  if (metric === 'latency-p90') return 0.03;
  if (generatorOf(caseKey) === 'k6') return 0.016;
  if (connectionsOf(caseKey) < 1000) return 0.04;
  return caseKey.includes(`/${keepAliveName(false)}/`) ? 0.035 : 0.05;
}

/** Of the difference between throughput and CPU per request of the same duets, beside what they scatter by together. */
const APART = 0.1;

const SERIES = standardMatrix(4);
/** Throughput, CPU per request and memory of a closed loop without a database. */
const ONE_CASE = SERIES.filter(({ caseKey }) => caseKey === SERIES[0]!.caseKey);
const EACH = ', each case on its own';

/** Each is held to its targets. */
export function simulatedSources(): Source[] {
  return MODELS.map((model) => modelSource(model, SERIES));
}

/** Shown, and held to none. */
export function extremeSources(): Source[] {
  return EXTREME_MODELS.map((model) => modelSource(model, SERIES));
}

/** The same noise in a spec of one case, which has next to nothing to learn from. Shown, and held to none. */
export function oneCaseSources(): Source[] {
  // Of one case, how cases differ and what they have in common is nothing.
  return MODELS.filter(
    ({ scale, shared, start, isMissing }) =>
      scale === undefined && shared === undefined && start === undefined && isMissing === undefined,
  ).map((model) => modelSource({ ...model, name: `one case, ${model.name.replace(EACH, '')}` }, ONE_CASE));
}

/** What machines do, for how much is found on them: normal noise, and a start that all cases of a round share. */
export function usualMachine(endpoints: number): Source {
  const name = `usual machine, ${endpoints} endpoints`;
  return modelSource({ name, start: (random) => 0.008 * normal(random) }, standardMatrix(endpoints));
}

function spoiltBy(spoilt: NoiseModel['spoilt'], random: Random): number {
  if (spoilt === undefined || random.next() >= spoilt.share) return 0;
  return random.below(2) === 0 ? Math.log(spoilt.times) : -Math.log(spoilt.times);
}

function modelSource(
  model: NoiseModel,
  series: readonly Series[],
  ofMachine: Map<string, number> | null = null,
): Source {
  const { name, scale, own = normals, shared, start, spoilt, isMissing } = model;
  const keys = [...new Set(series.map(({ caseKey }) => caseKey))];
  const scalesOf = (random: Random) => new Map(keys.map((key, index) => [key, scale?.(index, random) ?? 1]));
  return {
    name: `model: ${name}`,
    about: null,
    pairing: null,
    series,
    mostRounds: 28,
    roundSeconds: null,
    caseSeconds: (caseKey) => DUET_SECONDS[generatorOf(caseKey)],
    draw(rounds, random) {
      const scales = ofMachine ?? scalesOf(random);
      const common = shared?.values(random, rounds);
      const part = shared?.part ?? 0;
      const starts = Array.from({ length: rounds }, () => start?.(random) ?? 0);
      const drawn = new Map<string, number[]>();
      return series.map((one) => {
        const deviation = deviationOf(one) * scales.get(one.caseKey)!;
        const known = drawn.get(one.caseKey);
        // Both sides fill the CPU together: what a request costs more is what is answered less.
        if (one.metric === 'cpu-per-request' && known !== undefined) {
          return known.map((value) => value + APART * deviation * normal(random));
        }
        const index = keys.indexOf(one.caseKey);
        const values = own(random, rounds).map((value, round) => {
          const both = Math.sqrt(1 - part) * value + Math.sqrt(part) * (common?.[round] ?? 0);
          const isLost = !isOfService(one) && isMissing?.(index, round, rounds, random) === true;
          return isLost ? Number.NaN : deviation * both + starts[round]! + spoiltBy(spoilt, random);
        });
        if (one.metric === 'throughput') drawn.set(one.caseKey, values);
        return values;
      });
    },
    machine: (random) => modelSource(model, series, scalesOf(random)),
  };
}
