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
    }
  | { ok: false; file: string; mistakes: Mistake[] };

/** `validate`: what a spec file's text amounts to, or every mistake in it. Throws nothing. */
export function validateSpec(text: string, fileName: string): Validation {
  try {
    return right(readSpec(text, fileName), fileName);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const { mistakes } = error;
    return {
      ok: false,
      text: `${renderMistakes(mistakes, text)}\n${counted(mistakes.length, 'mistake')} in ${fileName}\n`,
      json: { ok: false, file: fileName, mistakes },
    };
  }
}

function right(spec: ResolvedSpec, file: string): Validation {
  const services = spec.services.map(({ name }) => name);
  const endpoints = spec.endpoints.map(({ name }) => name);
  const caseCount = numberOfCases(spec);
  const { wallSeconds } = planOf(spec, { seed: 0 }).estimate;
  const sizes = [
    counted(services.length, 'service'),
    counted(endpoints.length, 'endpoint'),
    counted(caseCount, 'case'),
  ];
  return {
    ok: true,
    text: `${file} is right: ${sizes.join(', ')}, about ${durationText(wallSeconds)}\n`,
    json: { ok: true, file, name: spec.name, services, endpoints, caseCount, spec: redactedSpec(spec) },
  };
}
