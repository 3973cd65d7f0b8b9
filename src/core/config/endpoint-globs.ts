import { quoted } from '../format/quoted.ts';
import { alternatives, type Diagnostic } from './diagnostics.ts';
import { isAsked, matchesGlob } from './glob.ts';
import { askedNames } from './request-checks.ts';
import type { Path, Source } from './source.ts';

/** Names and globs that stand for no endpoint, those of the gateway and of each service; and endpoints that no service has. */
export function endpointGlobDiagnostics(source: Source): Diagnostic[] {
  const known = askedNames(source);
  if (known.length === 0) return [];
  const unknown = unknownGlobs(source, known);
  return unknown.length > 0 ? unknown : unaskedEndpoints(source, known);
}

function unaskedEndpoints(source: Source, known: readonly string[]): Diagnostic[] {
  const lists = source.entriesAt(['services']).map(([name]) => source.at(['services', String(name), 'endpoints']));
  if (lists.length === 0 || lists.includes(undefined)) return [];
  const globs = lists.flat().filter((glob) => typeof glob === 'string');
  return known
    .filter((name) => !isAsked(globs, { name }))
    .map((name) => {
      const section = source.at(['endpoints', name]) === undefined ? 'mix' : 'endpoints';
      const message = `${section}.${name} is asked of no service: name it in the \`endpoints\` of one`;
      return source.aboutKey([section, name], { code: 'contradiction', message, found: name });
    });
}

function unknownGlobs(source: Source, known: readonly string[]): Diagnostic[] {
  const services = source.entriesAt(['services']).map(([name]): Path => ['services', String(name), 'endpoints']);
  return [['gateway', 'endpoints'] satisfies Path, ...services].flatMap((path) => {
    const written = source.at(path);
    const globs: [Path, unknown][] = Array.isArray(written)
      ? written.map((glob, index) => [[...path, index], glob])
      : [[path, written]];
    return globs.flatMap(([at, glob]) => {
      if (typeof glob !== 'string' || known.some((name) => matchesGlob(glob, name))) return [];
      const message = `${at.join('.')} is ${quoted(glob)}, which is no endpoint of the spec: expected ${alternatives(known)}`;
      return [source.aboutValue(at, { code: 'unknown-name', message, found: glob })];
    });
  });
}
