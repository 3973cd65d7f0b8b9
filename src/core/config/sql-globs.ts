/** SQL files that a spec names by a glob: a migration that a pull request adds is run without a change of the spec. */
import { isPathGlob, pathFilter } from './path-glob.ts';
import { dataFilesOf } from './paths.ts';
import type { ResolvedSpec } from './resolved.ts';

export function namesSqlByGlob(spec: ResolvedSpec): boolean {
  return dataFilesOf(spec).some(isPathGlob);
}

/** The spec with what its globs stand for among the paths of its folder, each file once; one that fits nothing stays. */
export function withSqlFiles(spec: ResolvedSpec, paths: readonly string[]): ResolvedSpec {
  const { database, prepare } = spec;
  return {
    ...spec,
    database: database === null ? null : { ...database, init: filesOf(database.init, paths) },
    ...(prepare === undefined
      ? {}
      : {
          prepare: prepare.map((step) => (step.kind === 'sql' ? { ...step, files: filesOf(step.files, paths) } : step)),
        }),
  };
}

function filesOf(names: readonly string[], paths: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => (isPathGlob(name) ? fitting(name, paths) : [name])))];
}

function fitting(glob: string, paths: readonly string[]): string[] {
  const found = paths.filter(pathFilter([glob]));
  return found.length === 0 ? [glob] : found.toSorted(byStep.compare);
}

/** As tools that run migrations order them: `10_add.sql` after `9_make.sql`. */
const byStep = new Intl.Collator('en', { numeric: true });
