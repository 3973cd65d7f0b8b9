import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';

/**
 * What a file is called, in its own folder, until it takes its name. Nobody can know it before and put a link there, which would be
 * written through.
 */
export const temporaryName = (name: string) => `.${name.slice(0, 150)}.${randomUUID()}.new`;

/** Writes a new file to its end, or leaves none. With `flush` it is on the disk when this resolves. */
export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  { flush }: { flush: boolean },
): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    if (flush) await file.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

/** A new or renamed file survives a power failure only when its folder is on the disk too; some file systems cannot. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    await folder.sync().finally(() => folder.close());
  } catch {}
}
