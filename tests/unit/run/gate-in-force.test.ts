import { describe, expect, it } from 'vitest';
import type { BuiltBaseline } from '../../../src/app/baseline/baseline-plan.ts';
import type { PreparedBaseline } from '../../../src/app/baseline/prepared-baseline.ts';
import { budgetInForce, modeInForce } from '../../../src/app/run/gate-in-force.ts';
import type { GateRules, ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { machine } from '../doctor/machines.ts';
import { smallSpec } from '../support/comparing.ts';

const having = (gate: Partial<GateRules>): ResolvedSpec => {
  const spec = smallSpec();
  return { ...spec, gate: { ...spec.gate, ...gate } };
};
const built = (gate: Partial<GateRules>): PreparedBaseline => {
  const spec = having(gate);
  const plan = { kind: 'built', spec, gate: spec.gate } as BuiltBaseline;
  return { ...plan, wanted: { text: 'auto', phraseFrom: 'call', recordDirectory: '/work' }, prepared: [] };
};
const onCpus = (usable: number) => ({ cpu: { ...machine().cpu, usable } });

describe('how both sides are loaded', () => {
  const mode = (baseline: PreparedBaseline, candidate: ResolvedSpec, cpus = 2) =>
    modeInForce(baseline, candidate, onCpus(cpus));

  it("is as the baseline's gate has it, whatever the candidate's says", () => {
    expect(mode(built({ pairing: 'duet' }), having({ pairing: 'interleaved' }))).toBe('duet');
    expect(mode(built({ pairing: 'interleaved' }), having({ pairing: 'duet' }))).toBe('interleaved');
    expect(mode(built({}), having({ pairing: 'interleaved' }))).toBe('duet');
  });

  it('is at once where that leaves it to a machine with two CPUs, and in turn with one', () => {
    expect([2, 1].map((cpus) => mode(built({}), having({}), cpus))).toEqual(['duet', 'interleaved']);
  });

  it('is in turn where a service has a part of a CPU, whatever the gate says', () => {
    const spec = having({});
    const partial = { ...spec, services: spec.services.map((service) => ({ ...service, cpus: 0.5 })) };
    expect(mode(built({ pairing: 'duet' }), partial)).toBe('interleaved');
  });

  it("is as the candidate's gate has it where nothing is built beside it", () => {
    expect(mode({ kind: 'none' }, having({ pairing: 'interleaved' }))).toBe('interleaved');
  });
});

describe('the budget', () => {
  it("is that of the baseline's gate", () => {
    const candidate = having({ budgetSeconds: 30 });
    const plan = planOf(candidate, { seed: 1 });
    expect(budgetInForce(built({ budgetSeconds: 600 }), candidate, plan)).toBe(600);
    expect(budgetInForce({ kind: 'none' }, candidate, plan)).toBe(30);
  });
});
