import type { Dependency } from './dependency.ts';
import { placeholdersIn } from './placeholders.ts';

/** Where the parts of a spec are that a text may name: what `${redis.host}` and `${redis.port}` stand for. */
export function dependencyPlaceholders(
  reached: Iterable<readonly [name: string, { host: string; port: number | null }]>,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, { host, port }] of reached) {
    values[`${name}.host`] = host;
    if (port !== null) values[`${name}.port`] = String(port);
  }
  return values;
}

/** Names of dependencies that must be up before this one can be started, and whether the database must. */
function neededBy(
  { command, env, entrypoint = [] }: Pick<Dependency, 'command' | 'env' | 'entrypoint'>,
  names: ReadonlySet<string>,
): { dependencies: Set<string>; database: boolean } {
  const used = [...entrypoint, ...(command ?? []), ...Object.values(env)]
    .flatMap((text) => placeholdersIn(text))
    .map(({ name }) => name.split('.')[0]!);
  return { dependencies: new Set(used.filter((name) => names.has(name))), database: used.includes('database') };
}

/**
 * The dependencies in steps: each stands on those of the steps before it, and those of one step start side by side. `first` are those
 * that need neither another one nor the database. A circle of names is left in `stuck`, in the order of the file.
 */
export function startOrder(dependencies: readonly Dependency[]): {
  first: Dependency[];
  then: Dependency[][];
  stuck: Dependency[];
} {
  const names = new Set(dependencies.map(({ name }) => name));
  const needs = new Map(dependencies.map((each) => [each, neededBy(each, names)]));
  const first = dependencies.filter((each) => {
    const { dependencies: others, database } = needs.get(each)!;
    return others.size === 0 && !database;
  });
  const up = new Set(first.map(({ name }) => name));
  const then: Dependency[][] = [];
  let left = dependencies.filter((each) => !first.includes(each));
  for (;;) {
    const step = left.filter((each) => [...needs.get(each)!.dependencies].every((name) => up.has(name)));
    if (step.length === 0) return { first, then, stuck: left };
    then.push(step);
    for (const { name } of step) up.add(name);
    left = left.filter((each) => !step.includes(each));
  }
}
