import { resolve } from 'node:path';
import { TestbedError } from '../../app/ports/testbed.ts';
import { readProjectFile } from '../project/project-file.ts';

/** A configuration has far less; they are held in memory at once. */
const MOST_BYTES = 16 * 1024 ** 2;

/**
 * The files of the checkout that a container is given: path in it → content. `whose`: `service api`. Rejects with `TestbedError`
 * 'start-failed' where one is not there, or is no file of the checkout.
 */
export async function projectFiles(
  files: Readonly<Record<string, string>> | undefined,
  specDirectory: string,
  whose: string,
): Promise<Record<string, Uint8Array>> {
  const contents: Record<string, Uint8Array> = {};
  for (const [file, path] of Object.entries(files ?? {})) {
    const read = await readProjectFile(specDirectory, file, MOST_BYTES);
    if (!('content' in read)) {
      const what = read.problem ?? 'is not there';
      throw new TestbedError(
        'start-failed',
        `The file ${resolve(specDirectory, file)} for ${path} of ${whose} ${what}. Put a file of the repository there, or correct its \`files\` in the spec; they are relative to the spec file.`,
      );
    }
    contents[path] = read.content;
  }
  return contents;
}
