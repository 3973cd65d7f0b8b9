import { stat } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import { GeneratorNotStarted, type GeneratorRunRequest } from '../../app/ports/generators.ts';
import { type GeneratorName, generators } from '../../core/generators/registry.ts';
import { languageOf, scriptFiles } from '../../core/generators/script-files.ts';
import { nobody } from '../process/system-user.ts';
import { readProjectFile } from '../project/project-file.ts';
import { scriptFolder } from '../project/script-folder.ts';

const MOST_BYTES = 16 * 1024 ** 2;
const READ_BY_OTHERS = 0o004;

/** All paths are relative to one folder, and stay so where it is run. */
export interface OwnScript {
  path: string;
  /** Itself, and what goes with it. */
  files: ReadonlyMap<string, Uint8Array>;
}

/** The user's own script, where the case names one, with what goes with it: of the first folder that has it. */
export async function scriptOf(
  { case: { load }, scriptDirectory }: Pick<GeneratorRunRequest, 'case' | 'scriptDirectory'>,
  specDirectory: string,
): Promise<OwnScript | null> {
  const { generator } = load;
  const named = generators[generator].load.scriptOf(load);
  if (named === null) return null;
  const path = posix.normalize(named);
  for (const directory of [scriptDirectory, specDirectory]) {
    if (directory === undefined) continue;
    const read = await readProjectFile(directory, path, MOST_BYTES);
    if ('content' in read) {
      const companions = await companionsOf(generator, path, directory);
      return { path, files: new Map([...companions, [path, read.content]]) };
    }
    // What is there and cannot be read must not be taken for another one.
    if (read.problem !== null || directory === specDirectory) {
      throw new GeneratorNotStarted(
        `The ${generator} script ${resolve(directory, path)} ${read.problem ?? 'cannot be read (ENOENT)'}. Correct load.${generator}.script in the spec; it is relative to the spec file.`,
      );
    }
  }
  return null;
}

/** Rejects with `GeneratorNotStarted` where the script cannot run with what there is. */
async function companionsOf(generator: GeneratorName, path: string, directory: string) {
  const { companions, problems } = await scriptFiles(path, languageOf(generator), scriptFolder(directory));
  const [problem] = problems;
  if (problem !== undefined) {
    throw new GeneratorNotStarted(`The ${generator} script ${resolve(directory, path)} ${problem}.`);
  }
  // As root we would hand over what the user that the script runs as may not read itself.
  if (nobody() === null) return companions;
  for (const name of companions.keys()) {
    const file = resolve(directory, name);
    if (((await stat(file)).mode & READ_BY_OTHERS) !== 0) continue;
    throw new GeneratorNotStarted(
      `The ${generator} script ${resolve(directory, path)} reads ${file}, which the user that it runs as may not: chmod o+r ${file}`,
    );
  }
  return companions;
}
