import { readFile } from 'node:fs/promises';

/** The event's file, parsed; null where there is none that can be read. */
export async function readEvent(path: string | undefined): Promise<unknown> {
  if (path === undefined || path === '') return null;
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}
