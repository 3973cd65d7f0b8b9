import { slug } from '../values/scalars.ts';
import { isUnread } from './asked-endpoint.ts';
import { MOST_CASES } from './bounds.ts';
import { numberOfCases } from './case.ts';
import { databaseDiagnostics } from './database-checks.ts';
import { dependencyDiagnostics, startOrderDiagnostics } from './dependency-checks.ts';
import { type Diagnostic, SpecError, withoutConsequences } from './diagnostics.ts';
import { endpointDiagnostics } from './endpoint-checks.ts';
import { endpointGlobDiagnostics } from './endpoint-globs.ts';
import { expectedStatusDiagnostics } from './expected-status-checks.ts';
import { gateDiagnostics, keyGlobDiagnostics } from './gate-checks.ts';
import { isAsked } from './glob.ts';
import { loadDiagnostics } from './load-checks.ts';
import { loginDiagnostics } from './login-checks.ts';
import { mixedEndpoints } from './mix.ts';
import { prepareDiagnostics } from './prepare-checks.ts';
import { requestDiagnostics } from './request-checks.ts';
import type { Endpoint, ResolvedSpec, Service } from './resolved.ts';
import { rewrittenDiagnostics } from './rewritten-checks.ts';
import { searchDiagnostics } from './search-checks.ts';
import { placementDiagnostics, serviceDiagnostics } from './service-checks.ts';
import { shapeOf } from './shape.ts';
import type { Source } from './source.ts';
import { spec, specSchema, type WrittenSpec } from './spec.ts';
import { readYaml } from './yaml.ts';

/**
 * The resolved spec of a file's text. Throws `SpecError` with every mistake that could be found (200 at most), and nothing
 * else, whatever the text; `fileName` is only what the mistakes are reported under.
 */
export function readSpec(text: string, fileName: string): ResolvedSpec {
  const { source, diagnostics: yamlDiagnostics } = readYaml(text, fileName);
  if (source === null) throw new SpecError(inOrder(yamlDiagnostics), text);
  const { written, diagnostics: shapeDiagnostics } = shapeOf(source, specSchema, 'the spec');
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
  if (written === null || diagnostics.length > 0) throw new SpecError(inOrder(diagnostics), text);
  const resolved = resolve(written);
  const wholeDiagnostics = diagnosticsAsAWhole(resolved, source);
  if (wholeDiagnostics.length > 0) throw new SpecError(inOrder(wholeDiagnostics), text);
  return resolved;
}

/** With every default filled in and every unit made explicit. What is written must make sense already. */
function resolve(written: WrittenSpec): ResolvedSpec {
  const read = spec.read(written);
  const endpoints = [...read.endpoints, ...mixedEndpoints(written.mix)];
  return { ...read, endpoints, services: read.services.map((service) => withReadyPath(service, endpoints)) };
}

/** Asked by GET where the spec says nothing: an endpoint that takes another method may have no answer to that. */
function withReadyPath(service: ReturnType<typeof spec.read>['services'][number], endpoints: Endpoint[]): Service {
  const first = endpoints.find((each) => each.method === 'GET' && !isUnread(each) && isAsked(service.endpoints, each));
  const { path = `${service.basePath}${first?.path ?? '/'}`, timeoutSeconds } = service.ready;
  return { ...service, ready: { path, timeoutSeconds } };
}

/** The name of a spec that may have any number of mistakes; null where its text does not tell one. */
export function specNameIn(text: string): string | null {
  const name = slug.safeParse(readYaml(text, '').source?.at(['name']));
  return name.success ? name.data : null;
}

/** What only the whole matrix shows. */
function diagnosticsAsAWhole(resolved: ResolvedSpec, source: Source): Diagnostic[] {
  const count = numberOfCases(resolved);
  if (count > MOST_CASES) {
    const message = `the spec makes ${count} cases: expected ${MOST_CASES} at most`;
    return [source.aboutKey(['load'], { code: 'contradiction', message, found: String(count) })];
  }
  return [...startOrderDiagnostics(resolved, source), ...keyGlobDiagnostics(resolved, source)];
}

/** More help nobody. */
const MOST_DIAGNOSTICS = 200;

/** In the order of the file, and no more than anybody reads. */
export function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return withoutConsequences(diagnostics)
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .slice(0, MOST_DIAGNOSTICS);
}
