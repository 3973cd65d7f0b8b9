import { metricOf, type Test } from '../view.ts';

/** Where a service stands over all tests of one generator. */
export interface RankedService {
  label: string;
  /** From 1; null where the service is not ranked. */
  rank: number | null;
  /** Geometric mean, over the tests, of its throughput as a share of the best one's; null where not ranked. */
  score: number | null;
  /** Tests in which it answered the most requests. */
  wins: number;
  /** Its throughput, where there is but one test; requests per second. */
  throughput: number | null;
  /** Tests in which it has no valid figure: why it is not ranked. */
  missing: number;
  /** Some of these are valid, and not ranked for their errors. */
  hasErrors: boolean;
}

/** Tests that a ranking of this generator counts: closed loop, without the gateway where they were measured without it. */
export function rankedTests(tests: Test[]): Test[] {
  const closed = tests.filter(({ openModel }) => !openModel);
  const direct = closed.filter(({ route }) => route === 'direct');
  return (direct.length > 0 ? direct : closed).filter(({ entries }) => entries.some(({ rank }) => rank !== null));
}

/**
 * Services in order, the best first, then those that cannot be ranked because they are not valid in every test.
 * References are left out. `tests` are `rankedTests` of one generator.
 */
export function ranking(tests: Test[]): RankedService[] {
  const labels = [
    ...new Set(tests.flatMap(({ entries }) => entries.filter(({ reference }) => !reference).map(({ label }) => label))),
  ];
  const ranked = labels.map((label): RankedService => {
    const shares: number[] = [];
    let wins = 0;
    let throughput: number | null = null;
    for (const { entries } of tests) {
      const own = entries.find((entry) => entry.label === label && entry.rank !== null);
      if (own === undefined) continue;
      const best = Math.max(
        ...entries.filter(({ rank }) => rank !== null).map(({ record }) => metricOf(record, 'throughput')!),
      );
      throughput = metricOf(own.record, 'throughput')!;
      shares.push(best > 0 ? throughput / best : 0);
      if (own.rank === 1) wins += 1;
    }
    const missing = tests.length - shares.length;
    const score = missing > 0 ? null : geometricMean(shares);
    const hasErrors = tests.some(({ entries }) =>
      entries.some((entry) => entry.label === label && entry.valid && entry.rank === null),
    );
    return { label, hasErrors, rank: null, score, wins, throughput: tests.length === 1 ? throughput : null, missing };
  });
  ranked.sort((one, other) => (other.score ?? -1) - (one.score ?? -1) || other.wins - one.wins);
  return ranked.map((each, index) => ({ ...each, rank: each.score === null ? null : index + 1 }));
}

function geometricMean(values: number[]): number {
  if (values.some((value) => value <= 0)) return 0;
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
