import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import type { BaselineFiles } from '../../app/ports/baselines.ts';

/** Files of this machine. */
export function baselineFiles(): BaselineFiles {
  const content = (path: string): Promise<Buffer | null> => readFile(path).catch(() => null);
  return {
    text: async (path) => (await content(path))?.toString('utf8') ?? null,
    async hash(path) {
      const bytes = await content(path);
      return bytes === null ? null : createHash('sha256').update(bytes).digest('hex');
    },
    exists: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
  };
}
