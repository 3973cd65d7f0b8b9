import { budgetWarnings } from '../core/plan/budget-warning.ts';
import { numberOfCases } from '../core/plan/cases.ts';
import { planOf } from '../core/plan/plan.ts';
import { counted, durationText } from '../core/plan/plan-text.ts';
import { redactedSpec } from '../core/record/redaction.ts';
import { type Mistake, renderMistakes, SpecError } from '../core/spec/mistakes.ts';
import { readSpec } from '../core/spec/read.ts';
import type { ResolvedSpec } from '../core/spec/resolved.ts';

export interface Validation {
  ok: boolean;
  /** For a person: one line where the spec is right, else every mistake with its source line. */
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
      warnings: Mistake[];
    }
  | { ok: false; file: string; mistakes: Mistake[] };

/** `validate`: what a spec file's text amounts to, or every mistake in it. Throws nothing. */
export function validateSpec(text: string, fileName: string): Validation {
  try {
    return right(readSpec(text, fileName), text, fileName);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const { mistakes } = error;
    return {
      ok: false,
      text: `${renderMistakes(mistakes, text)}\n${counted(mistakes.length, 'mistake')} in ${fileName}\n`,
      warnings: '',
      json: { ok: false, file: fileName, mistakes },
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
    text: `${file} is right: ${sizes.join(', ')}, about ${durationText(plan.estimate.wallSeconds)}\n`,
    warnings: warnings.length === 0 ? '' : renderMistakes(warnings.map(asWarning), source),
    json: { ok: true, file, name: spec.name, services, endpoints, caseCount, spec: redactedSpec(spec), warnings },
  };
}

function asWarning(warning: Mistake): Mistake {
  return { ...warning, message: `warning: ${warning.message}` };
}
