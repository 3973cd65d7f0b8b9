import { numberOfCases } from '../core/config/case.ts';
import { databaseWarnings } from '../core/config/database-checks.ts';
import { type Diagnostic, renderDiagnostics, SpecError } from '../core/config/diagnostics.ts';
import { inOrder, readSpec } from '../core/config/read.ts';
import type { ResolvedSpec } from '../core/config/resolved.ts';
import { readYaml } from '../core/config/yaml.ts';
import { counted } from '../core/format/figures.ts';
import type { ScriptFolder } from '../core/generators/script-files.ts';
import { budgetWarnings } from '../core/plan/budget-warning.ts';
import { durationText } from '../core/plan/duration-text.ts';
import { limitWarnings } from '../core/plan/limit-warnings.ts';
import { planOf } from '../core/plan/plan.ts';
import { searchPlanOf } from '../core/plan/search-plan.ts';
import { unjudgedWarning } from '../core/plan/unjudged-warning.ts';
import { redactedSpec } from '../core/record/redaction.ts';
import { plainStyle, type Style } from '../core/report/terminal-style.ts';
import { missingFiles } from './missing-files.ts';
import type { CheckoutFiles } from './ports/checkout-files.ts';

export interface Validation {
  ok: boolean;
  /** For a person: one line where the spec is right, else every error with its source line. */
  text: string;
  /** For a person: what is valid and yet not as it was meant, each with its source line; empty where there is nothing. */
  warnings: string;
  /** For a program. */
  json: ValidationJson;
}

type ValidationJson =
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

/** Of what is printed to standard output, where a spec is valid, and to standard error. */
interface ValidationStyles {
  output: Style;
  error: Style;
}

const plainStyles: ValidationStyles = { output: plainStyle, error: plainStyle };

/** `validate`: what a spec file's text amounts to, or every error in it. Throws nothing. */
export function validateSpec(text: string, fileName: string, styles = plainStyles): Validation {
  try {
    return right(readSpec(text, fileName), text, fileName, styles);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return wrong(error.diagnostics, text, fileName, styles.error);
  }
}

/** The same, with what the spec names and its folder does not hold. */
export async function validateWithFiles(
  text: string,
  fileName: string,
  files: Pick<CheckoutFiles, 'kind' | 'list'>,
  styles = plainStyles,
  scripts: ScriptFolder | null = null,
): Promise<Validation> {
  const validation = validateSpec(text, fileName, styles);
  const missing = await missingFiles(text, fileName, files, null, scripts);
  if (missing.length === 0) return validation;
  const others = validation.json.ok ? [] : validation.json.diagnostics;
  return wrong(inOrder([...others, ...missing]), text, fileName, styles.error);
}

function wrong(diagnostics: Diagnostic[], source: string, file: string, { bold, dim, red }: Style): Validation {
  const rendered = renderDiagnostics(diagnostics, source, { place: bold, mark: red, source: dim });
  return {
    ok: false,
    text: `${rendered}\n${red(`${counted(diagnostics.length, 'error')} in ${file}`)}\n`,
    warnings: '',
    json: { ok: false, file, diagnostics },
  };
}

function right(spec: ResolvedSpec, source: string, file: string, styles: ValidationStyles): Validation {
  const services = spec.services.map(({ name }) => name);
  const endpoints = spec.endpoints.map(({ name }) => name);
  const caseCount = numberOfCases(spec);
  const plan = planOf(spec, { seed: 0 });
  const warnings = inOrder([
    ...specWarnings(source, file),
    ...budgetWarnings(spec, plan, source, file),
    ...limitWarnings(spec, plan, source, file),
    ...unjudgedWarning(spec, source, file),
  ]);
  const sizes = [
    counted(services.length, 'service'),
    counted(endpoints.length, 'endpoint'),
    counted(caseCount, 'case'),
  ];
  return {
    ok: true,
    text: `${styles.output.green(`${file} is valid`)}: ${sizes.join(', ')}, about ${durationText(plan.estimate.wallSeconds + (searchPlanOf(spec, {})?.seconds.usual ?? 0))}\n`,
    warnings: warnings.length === 0 ? '' : renderedWarnings(warnings, source, styles.error),
    json: { ok: true, file, name: spec.name, services, endpoints, caseCount, spec: redactedSpec(spec), warnings },
  };
}

function specWarnings(text: string, file: string): Diagnostic[] {
  const { source } = readYaml(text, file);
  return source === null ? [] : databaseWarnings(source);
}

function renderedWarnings(warnings: readonly Diagnostic[], source: string, { bold, dim, yellow }: Style): string {
  const named = warnings.map((warning) => ({ ...warning, message: `${yellow('warning:')} ${warning.message}` }));
  return renderDiagnostics(named, source, { place: bold, mark: yellow, source: dim });
}
