import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const TAIL_BYTES = 64 * 1024;

/** The last lines of a file, oldest first, without empty ones; empty where there is no file. Reads 64 KiB at most. */
export function lastLines(path: string, count: number): string[] {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return [];
  }
  try {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - TAIL_BYTES);
    const tail = Buffer.alloc(size - from);
    const lines = tail.toString('utf8', 0, readSync(file, tail, 0, tail.length, from)).split(/\r?\n/);
    if (from > 0) lines.shift();
    return lines.filter((line) => line.trim() !== '').slice(-count);
  } finally {
    closeSync(file);
  }
}
