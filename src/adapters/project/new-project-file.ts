import { mkdir, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { UserError } from '../../core/user-error.ts';
import { projectProblem } from './project-file.ts';

/**
 * Writes a file of the project that is not there yet, with its folders; `name` is relative to `folder`, with `/`. Whatever came to
 * stand there meanwhile stays. Rejects with `UserError` where a link leads out of the checkout on the way.
 */
export async function writeNewProjectFile(folder: string, name: string, content: string): Promise<void> {
  for (const parent of parentsOf(name)) {
    await mkdir(join(folder, parent)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    const problem = await projectProblem(folder, parent, 'folder');
    if (problem !== null) {
      throw new UserError(
        `${join(folder, parent)} ${problem}: ${name} is not written. Make a folder of the repository there.`,
      );
    }
  }
  await writeFile(join(folder, name), content, { flag: 'wx' });
}

/** `.github/workflows/gate.yml`: `.github`, then `.github/workflows`. */
function parentsOf(name: string): string[] {
  const parent = posix.dirname(name);
  return parent === '.' ? [] : [...parentsOf(parent), parent];
}
