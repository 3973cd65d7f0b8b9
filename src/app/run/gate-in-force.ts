import { pairingOf } from '../../core/config/pairing.ts';
import type { GateRules, ResolvedSpec } from '../../core/config/resolved.ts';
import type { MachineFacts } from '../../core/doctor/facts.ts';
import { budgetSecondsOf } from '../../core/plan/budget.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { Comparing } from '../../core/record/run-record.ts';
import type { PreparedBaseline } from '../baseline/prepared-baseline.ts';

/** The gate that a comparison is held to: its baseline's, so that a change cannot choose its own. */
function gateInForce(baseline: PreparedBaseline, { gate }: Pick<ResolvedSpec, 'gate'>): GateRules {
  return baseline.kind === 'built' ? baseline.gate : gate;
}

/** Seconds for comparing the whole matrix, by the gate in force. */
export function budgetInForce(baseline: PreparedBaseline, spec: ResolvedSpec, plan: Plan): number {
  return budgetSecondsOf({ ...spec, gate: gateInForce(baseline, spec) }, plan);
}

/**
 * How both sides are loaded, by the gate in force; where that leaves it to the machine, two variants at the same time want a CPU for
 * the servers and another one for the generator.
 */
export function modeInForce(
  baseline: PreparedBaseline,
  spec: Pick<ResolvedSpec, 'gate' | 'services'>,
  { cpu }: Pick<MachineFacts, 'cpu'>,
): Comparing['mode'] {
  const { services } = spec;
  return pairingOf({ services, gate: gateInForce(baseline, spec) }) ?? (cpu.usable > 1 ? 'duet' : 'interleaved');
}
