import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { RawText } from '../../core/publication/raw-text.ts';

/** Texts of a run's folder. What is no file there, but a link to another one, or is longer, is not read. Never rejects. */
export async function rawTexts(folder: string, paths: readonly string[], mostBytes: number): Promise<RawText[]> {
  const found: RawText[] = [];
  for (const each of paths) found.push({ path: each, text: await textIn(path.join(folder, each), mostBytes) });
  return found;
}

async function textIn(file: string, mostBytes: number): Promise<string | null> {
  try {
    // A pipe would be waited for.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      return found.isFile() && found.size <= mostBytes ? await handle.readFile('utf8') : null;
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}
