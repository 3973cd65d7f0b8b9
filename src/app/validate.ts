import { numberOfCases } from '../core/config/cases.ts';
import { type Diagnostic, renderDiagnostics, SpecError } from '../core/config/diagnostics.ts';
import { readSpec } from '../core/config/read.ts';
import type { ResolvedSpec } from '../core/config/resolved.ts';
import { counted } from '../core/format/figures.ts';
import { budgetWarnings } from '../core/plan/budget-warning.ts';
import { planOf } from '../core/plan/plan.ts';
import { durationText } from '../core/plan/plan-text.ts';
import { redactedSpec } from '../core/record/redaction.ts';

export interface Validation {
  ok: boolean;
  /** For a person: one line where the spec is right, else every error with its source line. */
  text: string;
  /** For a person: what is valid and yet not as it was meant, each with its source line; empty where there is nothing. */
  warnings: string;
  /** For a program. */
  json: ValidationJson;
}

export type ValidationJson =
  | {
      ok: true;
      file: string;
      name: string;
      services: string[];
      endpoints: string[];
      caseCount: number;
      spec: ResolvedSpec;
      warnings: Diagnostic[];
    }
  | { ok: false; file: string; diagnostics: Diagnostic[] };

/** `validate`: what a spec file's text amounts to, or every error in it. Throws nothing. */
export function validateSpec(text: string, fileName: string): Validation {
  try {
    return right(readSpec(text, fileName), text, fileName);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const { diagnostics } = error;
    return {
      ok: false,
      text: `${renderDiagnostics(diagnostics, text)}\n${counted(diagnostics.length, 'error')} in ${fileName}\n`,
      warnings: '',
      json: { ok: false, file: fileName, diagnostics },
    };
  }
}

function right(spec: ResolvedSpec, source: string, file: string): Validation {
  const services = spec.services.map(({ name }) => name);
  const endpoints = spec.endpoints.map(({ name }) => name);
  const caseCount = numberOfCases(spec);
  const plan = planOf(spec, { seed: 0 });
  const warnings = budgetWarnings(spec, plan, source, file);
  const sizes = [
    counted(services.length, 'service'),
    counted(endpoints.length, 'endpoint'),
    counted(caseCount, 'case'),
  ];
  return {
    ok: true,
    text: `${file} is valid: ${sizes.join(', ')}, about ${durationText(plan.estimate.wallSeconds)}\n`,
    warnings: warnings.length === 0 ? '' : renderDiagnostics(warnings.map(asWarning), source),
    json: { ok: true, file, name: spec.name, services, endpoints, caseCount, spec: redactedSpec(spec), warnings },
  };
}

function asWarning(warning: Diagnostic): Diagnostic {
  return { ...warning, message: `warning: ${warning.message}` };
}
