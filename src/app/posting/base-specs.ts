import { posix } from 'node:path';
import { SpecError } from '../../core/config/diagnostics.ts';
import { isPathGlob, pathFilter } from '../../core/config/path-glob.ts';
import { measuringFilesOf } from '../../core/config/paths.ts';
import { readSpec, specNameIn } from '../../core/config/read.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import { type Forge, ForgeFailure } from '../ports/forge.ts';
import { scriptFilesAt } from './script-files-at.ts';

/** Each is a request. */
const MOST_SPECS = 100;

export interface SpecsAt {
  /** By name. */
  specs: Map<string, ResolvedSpec>;
  /** Of each, by its name, the file that it is in. */
  paths: Map<string, string>;
  /** Paths of what they measure with, such as scripts of generators: who changes one changes how is measured. */
  scripts: string[];
  /** Why there may be more of them than these; null where these are all. */
  unread: ForgeFailure | null;
  /** Those with mistakes: where they are, and their names; null where the text does not tell, so that any spec may be the one. */
  wrong: { path: string; name: string | null }[];
}

/**
 * The specs that a commit has under some paths (globs): what a run is held against, whatever its own spec says. One with
 * mistakes is told: its limits are not known, which is not the same as that there are none. A spec that is not there is none; one that cannot be read is something else.
 */
export async function specsAt(
  sha: string,
  patterns: readonly string[],
  forge: Forge,
  warn: (text: string) => void,
): Promise<SpecsAt> {
  const found: SpecsAt = { specs: new Map(), paths: new Map(), scripts: [], unread: null, wrong: [] };
  try {
    for (const path of await pathsAt(sha, patterns, forge)) {
      const text = await forge.textAt(path, sha);
      if (text !== null) add(text, path, sha, found, warn);
      const spec = [...found.specs.values()].at(-1);
      if (spec !== undefined && found.paths.get(spec.name) === path) {
        found.scripts.push(...(await scriptFilesAt(sha, { spec, path }, forge)));
      }
    }
  } catch (error) {
    if (!(error instanceof ForgeFailure)) throw error;
    // An API that fails is asked again and again before it is given up: not for each of a hundred files.
    found.unread = error;
    warn(`The specs at ${sha.slice(0, 7)} cannot be read, and are not known: ${error.message}`);
  }
  return found;
}

function add(
  text: string,
  path: string,
  sha: string,
  { specs, paths, scripts, wrong }: SpecsAt,
  warn: (text: string) => void,
): void {
  try {
    const spec = readSpec(text, path);
    if (specs.has(spec.name)) return;
    specs.set(spec.name, spec);
    paths.set(spec.name, path);
    scripts.push(...measuringFilesOf(spec).map((script) => posix.join(posix.dirname(path), script)));
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    wrong.push({ path, name: specNameIn(text) });
    warn(`${path} at ${sha.slice(0, 7)} is not valid, so that its limits are not known.`);
  }
}

/** Plain paths are taken as they are: a listing of all files is long. */
async function pathsAt(sha: string, patterns: readonly string[], forge: Forge): Promise<string[]> {
  const isPlain = !patterns.some(isPathGlob);
  const paths = isPlain ? [...new Set(patterns)] : (await forge.filesAt(sha)).filter(pathFilter(patterns));
  if (paths.length <= MOST_SPECS) return paths;
  // One that is left out would have no gate, and nobody would see it.
  throw new ForgeFailure(
    `The input spec names ${paths.length} specs, and ${MOST_SPECS} at most are reported by one job. Share them out over several workflows.`,
    null,
  );
}
