import { open, rm } from 'node:fs/promises';

/** Writes a file to its end, or leaves none. With `flush` it is on the disk when this resolves. */
export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  mode: 'w' | 'wx',
  { flush }: { flush: boolean },
): Promise<void> {
  const file = await open(path, mode);
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
