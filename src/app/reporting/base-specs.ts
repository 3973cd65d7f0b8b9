import { matchesGlob } from '../../core/spec/glob.ts';
import { SpecError } from '../../core/spec/mistakes.ts';
import { readSpec } from '../../core/spec/read.ts';
import type { ResolvedSpec } from '../../core/spec/resolved.ts';
import type { Forge } from '../ports/forge.ts';

const MOST_SPECS = 100;

/**
 * The specs that a commit has under some paths (globs), by name: what a run is held against, whatever its own spec says.
 * One with mistakes is passed over, and told.
 */
export async function specsAt(
  sha: string,
  patterns: readonly string[],
  forge: Forge,
  warn: (text: string) => void,
): Promise<Map<string, ResolvedSpec>> {
  const specs = new Map<string, ResolvedSpec>();
  for (const path of await pathsAt(sha, patterns, forge)) {
    const text = await forge.textAt(path, sha);
    if (text === null) continue;
    try {
      const spec = readSpec(text, path);
      if (!specs.has(spec.name)) specs.set(spec.name, spec);
    } catch (error) {
      if (!(error instanceof SpecError)) throw error;
      warn(`${path} at ${sha.slice(0, 7)} has mistakes, and nothing is held against it.`);
    }
  }
  return specs;
}

/** Plain paths are taken as they are: a listing of all files is long. */
async function pathsAt(sha: string, patterns: readonly string[], forge: Forge): Promise<string[]> {
  if (patterns.every((pattern) => !/[*?]/.test(pattern))) return patterns.slice(0, MOST_SPECS);
  const files = await forge.filesAt(sha);
  return files.filter((path) => patterns.some((pattern) => matchesGlob(pattern, path))).slice(0, MOST_SPECS);
}
