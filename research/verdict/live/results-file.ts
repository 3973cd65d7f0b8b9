import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import path from 'node:path';
import type { LiveResult } from './result.ts';

/** Every finished comparison, in the order that they were measured; a last line that was cut off is taken away. */
export function resultsIn(file: string): LiveResult[] {
  if (!existsSync(file)) return [];
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(file, end);
  const lines = bytes.subarray(0, end).toString().split('\n').slice(0, -1);
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as LiveResult;
    } catch {
      throw new Error(`${file}:${index + 1} is not a result: take that line out, or give another --out.`);
    }
  });
}

export function addResult(file: string, result: LiveResult): void {
  mkdirSync(path.dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(result)}\n`);
}
