import { missingVariablesText, variablesOf } from '../core/config/caller-variables.ts';
import type { Diagnostic } from '../core/config/diagnostics.ts';
import type { ResolvedSpec } from '../core/config/resolved.ts';
import type { MachineFacts } from '../core/doctor/facts.ts';
import { type Finding, problem } from '../core/doctor/finding.ts';
import { findingsOf } from '../core/doctor/findings.ts';
import { findingsText, type TextOptions } from '../core/doctor/findings-text.ts';
import { loadablePart, type UnloadableCase, unloadableFindings } from '../core/doctor/loadable.ts';
import { needsOf, standardNeeds } from '../core/doctor/needs.ts';
import { type Runtime, runtimeOf, type WantedRuntime } from '../core/doctor/runtime.ts';
import type { Plan } from '../core/plan/plan.ts';
import type { CallerVariables } from './ports/caller-variables.ts';

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
  if (spec !== null && plan !== null) return examination(spec, plan, facts, wanted);
  const needs = standardNeeds();
  return reportOf(findingsOf(needs, facts, wanted), runtimeOf(needs, facts, wanted));
}

/** The same of a spec's plan, with the cases that are beyond the machine: the rest is what has to be able to run. */
export function examination(
  spec: ResolvedSpec,
  plan: Plan,
  facts: MachineFacts,
  wanted: WantedRuntime = 'auto',
): DoctorReport & { unloadable: UnloadableCase[] } {
  const caseCount = plan.services.reduce((sum, { cases }) => sum + cases.length, 0);
  const { plan: rest, unloadable } = loadablePart(spec, plan, facts, wanted);
  const said = unloadable.length === caseCount ? [] : unloadableFindings(unloadable, caseCount);
  // The runtime is one for all services, whichever of them are left.
  const { withoutImage, withoutCommand, internal } = needsOf(spec, plan);
  const needs = { ...needsOf(spec, rest), withoutImage, withoutCommand, internal };
  const findings = [...findingsOf(needs, facts, wanted), ...said];
  return { ...reportOf(findings, runtimeOf(needs, facts, wanted)), unloadable };
}

/** The same report with what else was found. */
export function withFindings({ findings, runtime }: DoctorReport, more: readonly Finding[]): DoctorReport {
  return reportOf([...findings, ...more], runtime);
}

/** The same report with what the spec names and its folder does not hold. */
export function withMissingFiles(report: DoctorReport, missing: readonly Diagnostic[]): DoctorReport {
  const named = missing.map(({ file, line, message }) => problem('spec-files', `${file}:${line}: ${message}.`, null));
  return withFindings(report, named);
}

/** The same report with the variables of the caller that the spec names and that are not set. */
export function withMissingVariables(
  report: DoctorReport,
  spec: ResolvedSpec,
  variables: CallerVariables,
): DoctorReport {
  const missing = variablesOf(spec).filter(({ name }) => variables.value(name) === undefined);
  const named = missing.length === 0 ? [] : [problem('variables', missingVariablesText(missing), null)];
  return withFindings(report, named);
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
