import { seriesOf, serviceMemory } from '../../../../research/verdict/matrix.ts';
import type { Series, Source } from '../../../../research/verdict/source.ts';
import type { Random } from '../../../../src/core/statistics/random.ts';

const KEYS = ['a', 'b', 'c', 'd'].map((endpoint) => `node/${endpoint}/direct/wrk/keep-alive/100`);

/** Four cases with throughput, CPU and memory, and the memory of their service, whose log ratios are made by `value`. */
export function madeUpSource(value: (series: Series, random: Random) => number, changes: Partial<Source> = {}): Source {
  const series = [
    ...KEYS.flatMap((key) =>
      (['throughput', 'cpu-per-request', 'memory-peak'] as const).map((metric) => seriesOf(key, metric)),
    ),
    serviceMemory('node'),
  ];
  return {
    name: 'made up',
    about: null,
    pairing: null,
    series,
    mostRounds: 28,
    roundSeconds: null,
    caseSeconds: () => 2,
    draw: (rounds, random) => series.map((one) => Array.from({ length: rounds }, () => value(one, random))),
    ...changes,
  };
}

/** Between -width and width, each as likely. */
export function between(width: number): (series: Series, random: Random) => number {
  return (_, random) => width * (2 * random.next() - 1);
}
