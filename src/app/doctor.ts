import type { Diagnostic } from '../core/config/diagnostics.ts';
import type { ResolvedSpec } from '../core/config/resolved.ts';
import type { MachineFacts } from '../core/doctor/facts.ts';
import { type Finding, problem } from '../core/doctor/finding.ts';
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
  return reportOf(findingsOf(needs, facts, wanted), runtimeOf(needs, facts, wanted));
}

/** The same report with what the spec names and its folder does not hold. */
export function withMissingFiles({ findings, runtime }: DoctorReport, missing: readonly Diagnostic[]): DoctorReport {
  const named = missing.map(({ file, line, message }) => problem('spec-files', `${file}:${line}: ${message}.`, null));
  return reportOf([...findings, ...named], runtime);
}

function reportOf(findings: Finding[], runtime: Runtime): DoctorReport {
  return { ok: findings.every(({ severity }) => severity !== 'problem'), runtime, findings };
}

export function doctorText({ findings }: DoctorReport, options: TextOptions): string {
  return findingsText(findings, options);
}

export function doctorJson(report: DoctorReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
