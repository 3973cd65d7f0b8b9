import type { ResolvedSpec } from '../core/config/resolved.ts';
import type { MachineFacts } from '../core/doctor/facts.ts';
import type { Finding } from '../core/doctor/finding.ts';
import { findingsOf } from '../core/doctor/findings.ts';
import { findingsText, type TextOptions } from '../core/doctor/findings-text.ts';
import { needsOf, standardNeeds } from '../core/doctor/needs.ts';
import { type Runtime, runtimeOf, type WantedRuntime } from '../core/doctor/runtime.ts';
import type { Plan } from '../core/plan/plan.ts';

export interface DoctorReport {
  /** Nothing that is needed lacks: a run may start. */
  ok: boolean;
  /** The runtime that a run would take, or was told to take. */
  runtime: Runtime;
  findings: Finding[];
}

/** Holds what a spec's plan needs against a machine; without a spec, what the `standard` preset needs. */
export function doctor(
  spec: ResolvedSpec | null,
  plan: Plan | null,
  facts: MachineFacts,
  wanted: WantedRuntime = 'auto',
): DoctorReport {
  const needs = spec === null || plan === null ? standardNeeds() : needsOf(spec, plan);
  const findings = findingsOf(needs, facts, wanted);
  return {
    ok: findings.every(({ severity }) => severity !== 'problem'),
    runtime: runtimeOf(needs, facts, wanted),
    findings,
  };
}

export function doctorText({ findings }: DoctorReport, options: TextOptions): string {
  return findingsText(findings, options);
}

export function doctorJson(report: DoctorReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
