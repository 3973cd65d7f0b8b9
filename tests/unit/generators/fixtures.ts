import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GeneratorOutcome } from '../../../src/core/generators/outcome.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/generators');

/** The text of a recorded output, byte for byte. */
export function recorded(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

/** Names of the outputs under a folder, without `.txt`. */
export function recordedIn(folder: string): string[] {
  return readdirSync(join(FOLDER, folder))
    .filter((name) => name.endsWith('.txt'))
    .map((name) => `${folder}/${name.slice(0, -'.txt'.length)}`)
    .sort();
}

/** What the published outputs say, read by other means than our parsers (decimal arithmetic, split on blanks). */
export function expectedOutcomes(tool: 'wrk' | 'ab'): Record<string, GeneratorOutcome> {
  return JSON.parse(recorded(`${tool}/expected.json`));
}
