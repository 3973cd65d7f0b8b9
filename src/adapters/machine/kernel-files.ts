import { readFileSync } from 'node:fs';

/** Content of a small file of /proc or /sys without its last line end; null where it is not there or not readable. */
export function kernelText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch {
    return null;
  }
}

/** The first number of such a file; null where there is none. */
export function kernelNumber(path: string): number | null {
  const match = /-?\d+/.exec(kernelText(path) ?? '');
  return match === null ? null : Number(match[0]);
}
