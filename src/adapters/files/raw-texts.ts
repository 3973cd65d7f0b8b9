import path from 'node:path';
import type { RawText } from '../../core/publication/raw-text.ts';
import { readRegularFile } from '../project/regular-file.ts';

/** Texts of a run's folder. What is no file there, but a link to another one, or is longer, is not read. Never rejects. */
export async function rawTexts(folder: string, paths: readonly string[], mostBytes: number): Promise<RawText[]> {
  const found: RawText[] = [];
  for (const each of paths) found.push({ path: each, text: await textIn(path.join(folder, each), mostBytes) });
  return found;
}

async function textIn(file: string, mostBytes: number): Promise<string | null> {
  return await readRegularFile(file, async (handle, { size }) =>
    size <= mostBytes ? await handle.readFile('utf8') : null,
  );
}
