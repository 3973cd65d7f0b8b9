import { casesOf, numberOfCases } from '../plan/cases.ts';
import { MOST_CASES } from './defaults.ts';
import { matchesGlob } from './glob.ts';
import { type Mistake, SpecError } from './mistakes.ts';
import { resolve } from './resolve.ts';
import type { ResolvedSpec } from './resolved.ts';
import { endpointMistakes } from './sense-endpoints.ts';
import { gateMistakes, unmatchedGlob } from './sense-gate.ts';
import { loadMistakes } from './sense-load.ts';
import { placementMistakes, serviceMistakes } from './sense-services.ts';
import { shapeOf } from './shape.ts';
import type { Source } from './source.ts';
import { readYaml } from './yaml.ts';

/**
 * The resolved spec of a file's text. Throws `SpecError` with every mistake that could be found (200 at most), and nothing
 * else, whatever the text; `fileName` is only what the mistakes are reported under.
 */
export function readSpec(text: string, fileName: string): ResolvedSpec {
  const { source, mistakes: yamlMistakes } = readYaml(text, fileName);
  if (source === null) throw new SpecError(inOrder(yamlMistakes));
  const { spec, mistakes: shapeMistakes } = shapeOf(source);
  const senseMistakes = [serviceMistakes, endpointMistakes, loadMistakes, placementMistakes, gateMistakes].flatMap(
    (check) => check(source),
  );
  const mistakes = [...yamlMistakes, ...shapeMistakes, ...senseMistakes];
  if (spec === null || mistakes.length > 0) throw new SpecError(inOrder(mistakes));
  const resolved = resolve(spec);
  const wholeMistakes = mistakesAsAWhole(resolved, source);
  if (wholeMistakes.length > 0) throw new SpecError(inOrder(wholeMistakes));
  return resolved;
}

/** What only the whole matrix shows. */
function mistakesAsAWhole(spec: ResolvedSpec, source: Source): Mistake[] {
  const count = numberOfCases(spec);
  if (count > MOST_CASES) {
    const message = `the spec makes ${count} cases: expected ${MOST_CASES} at most`;
    return [source.aboutKey(['load'], { code: 'contradiction', message, found: String(count) })];
  }
  const keyGlobs = Object.keys(spec.gate.cases).filter((glob) => glob.includes('/') && !glob.startsWith('/'));
  if (keyGlobs.length === 0) return [];
  const keys = casesOf(spec).map(({ key }) => key);
  return keyGlobs
    .filter((glob) => !keys.some((key) => matchesGlob(glob, key)))
    .map((glob) => unmatchedGlob(glob, keys, source));
}

/** More help nobody. */
const MOST_MISTAKES = 200;

function inOrder(mistakes: Mistake[]): Mistake[] {
  return [...mistakes].sort((a, b) => a.line - b.line || a.column - b.column).slice(0, MOST_MISTAKES);
}
