import { DEVIATIONS } from '../../../src/core/plan/deviations.ts';
import { mean } from '../../../src/core/statistics/moderated-variance.ts';
import type { Random } from '../../../src/core/statistics/random.ts';
import { DUET_SECONDS, type GatedMetric, METRICS, type Source, sixteenCases } from './source.ts';

/** Standard deviation of an instance with one duet, as `plan` has it from what was recorded: the mean over kinds of cases. */
const DEVIATION = Object.fromEntries(
  (Object.keys(METRICS) as GatedMetric[]).map((metric) => {
    const rows = DEVIATIONS.filter(([name, , pairing]) => name === metric && pairing === 'duet');
    return [metric, mean(rows.map(([, , , , , , between, within]) => Math.hypot(between, within)))];
  }),
) as Record<GatedMetric, number>;

/** A matrix's own scales, and a number with a variance of 1 for a series in an instance. */
interface NoiseModel {
  name: string;
  scale(index: number, random: Random): number;
  value(random: Random, ofInstance: number): number;
}

const MODELS: readonly NoiseModel[] = [
  { name: 'normal', scale: () => 1, value: normal },
  { name: 't with 3 degrees of freedom', scale: () => 1, value: (random) => studentOf3(random) / Math.sqrt(3) },
  { name: 'cases of unequal scatter', scale: (_, random) => Math.exp(0.5 * normal(random)), value: normal },
  { name: 'every eighth three times noisier', scale: (index) => (index % 8 === 0 ? 3 : 1), value: normal },
  {
    name: 'half of it common to an instance',
    scale: () => 1,
    value: (random, ofInstance) => Math.SQRT1_2 * (normal(random) + ofInstance),
  },
  {
    name: 'one instance in 25 wild',
    scale: () => 1,
    value: (random) => normal(random) + (random.below(25) === 0 ? (random.below(2) === 0 ? 15 : -15) : 0),
  },
];

export function simulatedSources(): Source[] {
  const series = sixteenCases();
  return MODELS.map(({ name, scale, value }) => ({
    name: `simulated: ${name}`,
    about: null,
    pairing: null,
    series,
    mostInstances: 28,
    instanceSeconds: null,
    caseSeconds: (caseKey) => DUET_SECONDS[caseKey.includes('/wrk/') ? 'wrk' : 'k6'],
    draw(instances, random) {
      const common = Array.from({ length: instances }, () => normal(random));
      return series.map(({ metric }, index) => {
        const deviation = DEVIATION[metric] * scale(index, random);
        return common.map((ofInstance) => deviation * value(random, ofInstance));
      });
    },
  }));
}

/** Box and Muller (Annals of Mathematical Statistics 29, 1958). */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

function studentOf3(random: Random): number {
  const squares = normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2;
  return normal(random) / Math.sqrt(squares / 3);
}
