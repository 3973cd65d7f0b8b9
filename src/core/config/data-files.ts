import { sqlFilesOf } from './prepare.ts';
import type { ResolvedSpec } from './resolved.ts';

/** SQL files that the data of a spec are made by, relative to it, each once: those of `database.init`, then those of `prepare`. */
export function dataFilesOf(spec: Pick<ResolvedSpec, 'database' | 'prepare'>): string[] {
  return [...new Set([...(spec.database?.init ?? []), ...sqlFilesOf(spec)])];
}
