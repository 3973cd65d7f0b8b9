import { posix } from 'node:path';
import { scriptsOf } from '../../core/config/paths.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import { languageOf, type ScriptFolder, scriptFiles } from '../../core/generators/script-files.ts';
import type { Forge } from '../ports/forge.ts';

const NONE = new Uint8Array();

/** What goes with the scripts of a spec, as a commit has it; from the top of the repository. Rejects with `ForgeFailure`. */
export async function scriptFilesAt(
  sha: string,
  { spec, path }: { spec: ResolvedSpec; path: string },
  forge: Pick<Forge, 'filesAt' | 'textAt'>,
): Promise<string[]> {
  const folder = posix.dirname(path);
  let listed: Promise<readonly string[]> | null = null;
  const files = () => {
    listed ??= forge.filesAt(sha);
    return listed;
  };
  const scripts: ScriptFolder = {
    // What is no module names no others, and its path is all that counts here.
    async content(name) {
      if (!/\.(?:lua|[cm]?[jt]s)$/.test(name)) return NONE;
      const text = await forge.textAt(posix.join(folder, name), sha);
      return text === null ? null : new TextEncoder().encode(text);
    },
    isFile: async (name) => (await files()).includes(posix.join(folder, name)),
    async list(below, most) {
      const place = posix.join(folder, below);
      const all = (await files()).filter((file) => place === '.' || file.startsWith(`${place}/`));
      return all.length > most ? null : all.map((file) => posix.relative(folder, file));
    },
  };
  const found: string[] = [];
  for (const { generator, script } of scriptsOf(spec)) {
    const { companions } = await scriptFiles(script, languageOf(generator), scripts);
    found.push(...[...companions.keys()].map((name) => posix.join(folder, name)));
  }
  return found;
}
