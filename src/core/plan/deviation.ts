import type { GeneratorName } from './case.ts';
import { DEVIATIONS, type Deviation } from './deviations.ts';

/** What a metric is to be judged from. */
export interface JudgedLoad {
  metric: string;
  generator: GeneratorName;
  pairing: 'duet' | 'interleaved';
  asksDatabase: boolean;
  keepAlive: boolean;
  connections: number;
}

/** What an instance's figure comes from. */
export interface InstanceData {
  /** Duets of each case. */
  pairs: number;
  /** Of a duet, as a share of the recorded ones. */
  length: number;
  /** Cases whose median it is; 1 for a case by itself. */
  together: number;
}

/**
 * Standard deviation of ln(candidate/baseline) of an instance, both sides being the same, from the variances of a full duet:
 *
 *     sqrt(between + within / (pairs * length^2))                  of a case
 *     sqrt(between + within / (pairs * length^2 * cases) * pi/2)   of the median of cases
 *
 * Duets of half the length were seen to scatter more than twice as much, not 1.4 times: their first moments are a larger
 * part of them. pi/2 is the asymptotic variance of the median of normal values, by that of their mean.
 */
export function instanceDeviation(
  { between, within }: { between: number; within: number },
  { pairs, length, together }: InstanceData,
): number {
  const ofMedian = together === 1 ? 1 : Math.PI / 2 / together;
  return Math.sqrt(between + (within / (pairs * length ** 2)) * ofMedian);
}

/** The same as of the recorded load that is most like this one; null where nothing of the metric was recorded. */
export function expectedDeviation(
  load: JudgedLoad,
  data: InstanceData,
  recorded: readonly Deviation[] = DEVIATIONS,
): number | null {
  const candidates = recorded.filter(([metric, , pairing]) => metric === load.metric && pairing === load.pairing);
  const [nearest] = candidates.toSorted((one, other) => unlikeness(one, load) - unlikeness(other, load));
  if (nearest === undefined) return null;
  const [between, within] = nearest.slice(-2) as [number, number];
  return instanceDeviation({ between: between ** 2, within: within ** 2 }, data);
}

/** What sends the load matters most, then what answers it, then whether connections are opened, then how many. */
function unlikeness([, generator, , endpoint, held, connections]: Deviation, load: JudgedLoad): number {
  const ownHeld = load.keepAlive ? 'keep-alive' : 'close';
  const apart = connections === 'any' ? 0 : Math.abs(Math.log10(connections / load.connections));
  return (
    (generator === load.generator ? 0 : 1000) +
    ((endpoint === 'database') === load.asksDatabase ? 0 : 100) +
    (held === 'any' || held === ownHeld ? 0 : 10) +
    Math.min(apart, 9)
  );
}
