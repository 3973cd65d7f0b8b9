import { isGatingLoop } from '../../../core/comparison/gating.ts';
import type { Case } from '../../../core/config/case.ts';
import { parseCpuList } from '../../../core/config/cpu-list.ts';
import type { Placement } from '../../../core/config/resolved.ts';
import { endpointKey } from '../../../core/plan/duets.ts';

/** So many for each CPU keep it busy while answers are on their way. */
const CONNECTIONS_EACH = 2;

/**
 * Of the cases of a round the one that each side is loaded with by itself, on all CPUs of its service: of another endpoint in each round,
 * a closed loop of the fewest connections that keep them busy. Null where one CPU is all, which a duet shares out as it is.
 */
export function caseOfAllCpus(cases: readonly Case[], round: number, placement: Placement): Case | null {
  const loops = cases.filter((each) => isGatingLoop(each) && each.keepAlive && each.route === 'direct');
  const cpus = Math.min(
    parseCpuList(placement.service)?.length ?? 1,
    loops[0]?.service.cpus ?? Number.POSITIVE_INFINITY,
  );
  if (cpus <= 1) return null;
  const rising = loops.toSorted((one, other) => one.connections - other.connections);
  const byEndpoint = [...new Set(loops.map(endpointKey))].sort().map((key) => {
    const own = rising.filter((each) => endpointKey(each) === key);
    return own.find(({ connections }) => connections >= CONNECTIONS_EACH * cpus) ?? own.at(-1)!;
  });
  return byEndpoint[(round - 1) % Math.max(1, byEndpoint.length)] ?? null;
}
