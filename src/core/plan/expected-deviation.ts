import type { GeneratorName } from '../generators/registry.ts';
import { keepAliveName } from '../measurement/names.ts';
import { NOISE_PROFILE, type NoiseProfileRow } from './noise-profile.ts';

export type { NoiseProfileRow } from './noise-profile.ts';

/** What a metric is to be judged from. */
export interface JudgedLoad {
  metric: string;
  generator: GeneratorName;
  pairing: 'duet' | 'interleaved';
  asksDatabase: boolean;
  keepAlive: boolean;
  connections: number;
}

/** Standard deviations of ln(candidate/baseline) of a case: from start to start, and from trial to trial within one. */
export interface CaseDeviations {
  between: number;
  within: number;
}

/** Of the recorded load that is most like this one; null where nothing of the metric was recorded. */
export function expectedDeviations(
  load: JudgedLoad,
  recorded: readonly NoiseProfileRow[] = NOISE_PROFILE,
): CaseDeviations | null {
  const candidates = recorded.filter(([metric, , pairing]) => metric === load.metric && pairing === load.pairing);
  const [nearest] = candidates.toSorted((one, other) => unlikeness(one, load) - unlikeness(other, load));
  if (nearest === undefined) return null;
  const [between, within] = nearest.slice(-2) as [number, number];
  return { between, within };
}

/**
 * Standard deviation of a round over several cases, both sides being the same. What starts differ by is of all cases of a process
 * alike, and so no more than of the one that has least; what trials differ by is of each, weighted by how well it is known, and each
 * endpoint has the same say:
 *
 *     sqrt(between^2 + 1 / (endpoints * mean over endpoints of sum(pairs / within^2)))
 *
 * Of what a process keeps it is a part of what its cases scatter by, of which the lowest quarter is taken.
 */
export function roundDeviation(
  cases: readonly CaseDeviations[],
  { pairs, endpoints, ofProcess }: { pairs: number; endpoints: number; ofProcess: boolean },
): number {
  if (ofProcess) {
    const ofCase = cases.reduce((sum, each) => sum + each.between ** 2 + each.within ** 2 / Math.max(1, pairs), 0);
    return Math.sqrt((lowestQuarter(cases.length) * ofCase) / cases.length);
  }
  const between = Math.min(...cases.map((each) => each.between));
  const known = cases.reduce((sum, { within }) => sum + Math.max(1, pairs) / within ** 2, 0);
  return Math.sqrt(between ** 2 + 1 / known) * (endpoints > 1 ? UNEVEN_ENDPOINTS : 1);
}

/**
 * Of a case's variance: a tenth was recorded with 20 cases. Fewer have fewer lowest ones; more are no help, since the peaks of a
 * process go up and down together for seconds.
 */
function lowestQuarter(cases: number): number {
  return Math.min(0.5, Math.max(0.1, 2 / cases));
}

/** Endpoints have the same say, though some scatter more than others. */
const UNEVEN_ENDPOINTS = 1.1;

/** What sends the load matters most, then what answers it, then whether connections are opened, then how many. */
function unlikeness([, generator, , endpoint, held, connections]: NoiseProfileRow, load: JudgedLoad): number {
  const apart = connections === 'any' ? 0 : Math.abs(Math.log10(connections / load.connections));
  return (
    (generator === load.generator ? 0 : 1000) +
    ((endpoint === 'database') === load.asksDatabase ? 0 : 100) +
    (held === 'any' || held === keepAliveName(load.keepAlive) ? 0 : 10) +
    Math.min(apart, 9)
  );
}
