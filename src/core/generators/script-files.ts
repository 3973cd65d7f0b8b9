import { joinedPath } from '../values/plain-path.ts';
import { referencesIn, type ScriptLanguage, type ScriptReferences } from './script-references.ts';

/** Of all generators, wrk alone does not take JavaScript. */
export const languageOf = (generator: string): ScriptLanguage => (generator === 'wrk' ? 'lua' : 'js');

/** The folder of a spec, as far as scripts are concerned; paths are relative to it. */
export interface ScriptFolder {
  /** Null for what is not there, no plain file, or elsewhere by a link. */
  content(path: string): Promise<Uint8Array | null>;
  isFile(path: string): Promise<boolean>;
  /** Files below a folder, without those of repositories and dependencies and without hidden ones; null where there are more than `most`. */
  list(folder: string, most: number): Promise<string[] | null>;
}

export interface ScriptFiles {
  /** What goes with the script, by path. */
  companions: Map<string, Uint8Array>;
  /** Sentences without a subject: what it cannot do without and does not find, and what is too much. */
  problems: string[];
}

const MOST_FILES = 1000;
const MOST_BYTES = 32 * 1024 ** 2;
const MIB = 1024 ** 2;
const MODULE: Record<ScriptLanguage, RegExp> = { js: /\.[cm]?[jt]s$/, lua: /\.lua$/ };

/**
 * What lies beside a script and is run with it: the files that it names, and those that they name. Where it makes names up, all of its folder.
 * A change of one of them is a change of the script.
 */
export async function scriptFiles(path: string, language: ScriptLanguage, folder: ScriptFolder): Promise<ScriptFiles> {
  const script = joined('', path) ?? path;
  const companions = new Map<string, Uint8Array>();
  const problems: string[] = [];
  const home = parentOf(script);
  const waiting = [script];
  let bytes = 0;
  let isComputed = false;
  const take = async (path: string) => {
    if (path === script || companions.has(path)) return;
    const content = await folder.content(path);
    if (content === null) return;
    bytes += content.byteLength;
    if (bytes > MOST_BYTES || companions.size === MOST_FILES) return;
    companions.set(path, content);
    if (MODULE[language].test(path)) waiting.push(path);
  };
  for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
    const content = companions.get(each) ?? (await folder.content(each));
    if (content === null) continue;
    const references = referencesIn(new TextDecoder().decode(content), language);
    isComputed ||= references.computed;
    // Lua looks in the folder that a program was started in, k6 in that of the module.
    const from = language === 'lua' ? home : parentOf(each);
    for (const found of await named(references, from, folder)) await take(found);
    for (const name of new Set(references.needed)) {
      const problem = await missing(name, from, folder);
      if (problem !== null) problems.push(each === script ? problem : `${problem} (in ${each})`);
    }
    if (waiting.length === 0 && isComputed) {
      isComputed = false;
      const all = await folder.list(home, MOST_FILES);
      if (all === null) problems.push(tooMany(`more than ${MOST_FILES} files`));
      for (const found of all ?? []) await take(found);
    }
  }
  if (bytes > MOST_BYTES) problems.push(tooMany(`more than ${MOST_BYTES / MIB} MiB`));
  return { companions, problems };
}

const tooMany = (what: string) =>
  `reads files beside it, and these are ${what}: put the script and its files into a folder of their own`;

async function named({ named: names }: ScriptReferences, from: string, folder: ScriptFolder): Promise<string[]> {
  const found: string[] = [];
  for (const alternatives of names) {
    for (const name of alternatives) {
      const path = joined(from, name);
      if (path === null || !(await folder.isFile(path))) continue;
      found.push(path);
      break;
    }
  }
  return found;
}

async function missing(name: string, from: string, folder: ScriptFolder): Promise<string | null> {
  const path = joined(from, name);
  if (path === null) return `reads \`${name}\`, which lies outside of the folder of the spec`;
  return (await folder.isFile(path)) ? null : `reads \`${name}\`, and there is no such file beside it`;
}

const parentOf = (path: string) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');

/** Null for what leads out, and for git's own folder. */
function joined(folder: string, name: string): string | null {
  const path = joinedPath(folder, name);
  return path?.split('/').includes('.git') ? null : path;
}
