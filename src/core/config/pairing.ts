import { isPartial } from './cpu-quota.ts';
import type { GateRules, ResolvedSpec } from './resolved.ts';

/**
 * How both sides of a comparison are loaded; undefined where the machine decides. Two sides at once show which is faster by
 * competing for the CPU, and a side with a quota of its own does not: they are measured in turn.
 */
export function pairingOf({ gate, services }: Pick<ResolvedSpec, 'gate' | 'services'>): GateRules['pairing'] {
  return services.some(({ cpus }) => isPartial(cpus)) ? 'interleaved' : gate.pairing;
}
