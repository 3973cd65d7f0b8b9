import { createHash } from 'node:crypto';
import { access, realpath } from 'node:fs/promises';
import type { BaselineFiles } from '../../app/ports/baselines.ts';
import { languageOf, scriptFiles } from '../../core/generators/script-files.ts';
import { readRegularFile } from '../project/regular-file.ts';
import { scriptFolder } from '../project/script-folder.ts';
import { checkoutFiles } from './checkout-files.ts';

/** Of a record; what is only hashed may have any size. */
const MOST_TEXT_BYTES = 256 * 1024 ** 2;

/** Files of this machine. A pipe or a device is none: reading it may never end. */
export function baselineFiles(): BaselineFiles {
  const targetOf = (path: string) => realpath(path).catch(() => path);
  return {
    text: async (path) =>
      await readRegularFile(await targetOf(path), async (file, { size }) =>
        size > MOST_TEXT_BYTES ? null : await file.readFile('utf8'),
      ),
    hash: async (path) =>
      await readRegularFile(await targetOf(path), async (file) => {
        const hash = createHash('sha256');
        for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk);
        return hash.digest('hex');
      }),
    async companions(folder, script, generator) {
      const { companions } = await scriptFiles(script, languageOf(generator), scriptFolder(folder));
      return [...companions.keys()];
    },
    exists: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    list: (folder) => checkoutFiles(folder).list(),
  };
}
