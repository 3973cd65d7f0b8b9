import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import starter from 'wrkbench:starter-workflow';
import { defaultBranchOf } from '../../adapters/git/remote.ts';
import { UsageError } from '../../app/failures.ts';
import { initialFiles, isTelling, WORKFLOW_FILE } from '../../app/init.ts';
import { EXIT } from '../failure.ts';
import { print } from '../output.ts';

/** Larger files tell nothing that `init` looks for. */
const MOST_BYTES = 1024 * 1024;

export async function initCommand(directory: string): Promise<number> {
  const folder = path.resolve(directory);
  const names = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new UsageError(`${directory} is not a folder that can be read. Name the folder of your repository.`);
  });
  const files = await Promise.all(
    names
      .filter((entry) => entry.isFile())
      .map(async ({ name }) => ({ path: name, content: await told(folder, name) })),
  );
  const isThere = await access(path.join(folder, WORKFLOW_FILE)).then(
    () => true,
    () => false,
  );
  const workflow = isThere ? null : { text: starter, branch: await defaultBranchOf(folder) };
  const { files: written, text } = initialFiles(files, path.basename(folder), workflow);
  for (const file of written) {
    await mkdir(path.dirname(path.join(folder, file.path)), { recursive: true });
    // `wx`: whatever came to stand there meanwhile stays.
    await writeFile(path.join(folder, file.path), file.content, { flag: 'wx' });
  }
  print(text);
  return EXIT.done;
}

async function told(folder: string, name: string): Promise<string> {
  if (!isTelling(name)) return '';
  const content = await readFile(path.join(folder, name));
  return content.byteLength > MOST_BYTES ? '' : content.toString('utf8');
}
