import { slug } from '../values/scalars.ts';
import { MOST_CASES } from './bounds.ts';
import { numberOfCases } from './cases.ts';
import { databaseDiagnostics } from './database-checks.ts';
import { dependencyDiagnostics, startOrderDiagnostics } from './dependency-checks.ts';
import { type Diagnostic, SpecError, withoutConsequences } from './diagnostics.ts';
import { endpointDiagnostics } from './endpoint-checks.ts';
import { endpointGlobDiagnostics } from './endpoint-globs.ts';
import { expectedStatusDiagnostics } from './expected-status-checks.ts';
import { gateDiagnostics, keyGlobDiagnostics } from './gate-checks.ts';
import { loadDiagnostics } from './load-checks.ts';
import { loginDiagnostics } from './login-checks.ts';
import { prepareDiagnostics } from './prepare-checks.ts';
import { requestDiagnostics } from './request-checks.ts';
import { resolve } from './resolve.ts';
import type { ResolvedSpec } from './resolved.ts';
import { rewrittenDiagnostics } from './rewritten-checks.ts';
import { searchDiagnostics } from './search-checks.ts';
import { placementDiagnostics, serviceDiagnostics } from './service-checks.ts';
import { shapeOf } from './shape.ts';
import type { Source } from './source.ts';
import { specSchema } from './spec.ts';
import { readYaml } from './yaml.ts';

/**
 * The resolved spec of a file's text. Throws `SpecError` with every mistake that could be found (200 at most), and nothing
 * else, whatever the text; `fileName` is only what the mistakes are reported under.
 */
export function readSpec(text: string, fileName: string): ResolvedSpec {
  const { source, diagnostics: yamlDiagnostics } = readYaml(text, fileName);
  if (source === null) throw new SpecError(inOrder(yamlDiagnostics));
  const { written: spec, diagnostics: shapeDiagnostics } = shapeOf(source, specSchema, 'the spec');
  const senseDiagnostics = [
    serviceDiagnostics,
    databaseDiagnostics,
    dependencyDiagnostics,
    endpointDiagnostics,
    prepareDiagnostics,
    requestDiagnostics,
    endpointGlobDiagnostics,
    loginDiagnostics,
    loadDiagnostics,
    searchDiagnostics,
    expectedStatusDiagnostics,
    placementDiagnostics,
    gateDiagnostics,
    rewrittenDiagnostics,
  ].flatMap((check) => check(source));
  const diagnostics = [...yamlDiagnostics, ...shapeDiagnostics, ...senseDiagnostics];
  if (spec === null || diagnostics.length > 0) throw new SpecError(inOrder(diagnostics));
  const resolved = resolve(spec);
  const wholeDiagnostics = diagnosticsAsAWhole(resolved, source);
  if (wholeDiagnostics.length > 0) throw new SpecError(inOrder(wholeDiagnostics));
  return resolved;
}

/** The name of a spec that may have any number of mistakes; null where its text does not tell one. */
export function specNameIn(text: string): string | null {
  const name = slug.safeParse(readYaml(text, '').source?.at(['name']));
  return name.success ? name.data : null;
}

/** What only the whole matrix shows. */
function diagnosticsAsAWhole(spec: ResolvedSpec, source: Source): Diagnostic[] {
  const count = numberOfCases(spec);
  if (count > MOST_CASES) {
    const message = `the spec makes ${count} cases: expected ${MOST_CASES} at most`;
    return [source.aboutKey(['load'], { code: 'contradiction', message, found: String(count) })];
  }
  return [...startOrderDiagnostics(spec, source), ...keyGlobDiagnostics(spec, source)];
}

/** More help nobody. */
const MOST_DIAGNOSTICS = 200;

/** In the order of the file, and no more than anybody reads. */
export function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return withoutConsequences(diagnostics)
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .slice(0, MOST_DIAGNOSTICS);
}
