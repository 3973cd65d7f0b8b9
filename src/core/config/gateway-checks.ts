import { quoted } from '../format/quoted.ts';
import { alternatives, type Diagnostic } from './diagnostics.ts';
import { matchesGlob } from './glob.ts';
import type { Path, Source } from './source.ts';

/** Names and globs of endpoints that stand for none. */
export function gatewayDiagnostics(source: Source): Diagnostic[] {
  const path: Path = ['gateway', 'endpoints'];
  const written = source.at(path);
  const known = source.entriesAt(['endpoints']).map(([name]) => String(name));
  const globs: [Path, unknown][] = Array.isArray(written)
    ? written.map((glob, index) => [[...path, index], glob])
    : [[path, written]];
  return globs.flatMap(([at, glob]) => {
    if (typeof glob !== 'string' || known.length === 0 || known.some((name) => matchesGlob(glob, name))) return [];
    const message = `${at.join('.')} is ${quoted(glob)}, which is no endpoint of the spec: expected ${alternatives(known)}`;
    return [source.aboutValue(at, { code: 'unknown-name', message, found: glob })];
  });
}
