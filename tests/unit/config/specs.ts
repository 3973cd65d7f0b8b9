import { readdirSync, readFileSync } from 'node:fs';
import { type Diagnostic, SpecError } from '../../../src/core/config/diagnostics.ts';
import { readSpec } from '../../../src/core/config/read.ts';

/** Every right spec of the fixtures, by its file name. */
export const RIGHT_SPECS = Object.fromEntries(
  readdirSync('fixtures/specs/right').map((name) => [name, readFileSync(`fixtures/specs/right/${name}`, 'utf8')]),
);

/** The least spec, with further top-level YAML behind it. */
export function leastWith(more: string): string {
  return `name: rest-api\nservices:\n  go: {build: ., port: 8080}\nendpoints:\n  ping: /ping\n${more}`;
}

/** The mistakes of a text; none where it is right. */
export function diagnosticsOf(text: string): Diagnostic[] {
  try {
    readSpec(text, 'wrkbench.yml');
    return [];
  } catch (error) {
    if (error instanceof SpecError) return error.diagnostics;
    throw error;
  }
}

/** `LINE:COLUMN: message` of each mistake. */
export function diagnosticLines(text: string): string[] {
  return diagnosticsOf(text).map(({ line, column, message }) => `${line}:${column}: ${message}`);
}
