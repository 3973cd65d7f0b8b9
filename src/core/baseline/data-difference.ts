import type { Database } from '../config/resolved.ts';
import type { Reason } from '../measurement/names.ts';

/** Code of the warning; under this name less data is accepted. */
export const DATA_DIFFER = 'data-differ';

/** What one side's database is loaded with. */
export interface SideData {
  database: Database | null;
  /** Hashes of the contents of `database.init`, in their order; null for one that cannot be read. */
  init: readonly (string | null)[];
}

/**
 * Data and settings are a part of the workload, and a change of the schema needs its own: each side is loaded with its own, and what
 * differs is said. Null where both sides have the same.
 */
export function dataDifference(baseline: SideData, candidate: SideData): Reason | null {
  if (baseline.database === null || candidate.database === null) return null;
  const parts = [
    listed('init SQL', changedFiles(baseline, candidate)),
    listed('settings of the database', changedSettings(baseline.database, candidate.database)),
    baseline.database.image === candidate.database.image
      ? ''
      : `image of the database (${baseline.database.image} and ${candidate.database.image})`,
  ].filter((part) => part !== '');
  if (parts.length === 0) return null;
  const message =
    `The two sides load different data: ${parts.join('; ')}. Part of any change between them may come from the data ` +
    'and not from the code.';
  return { code: DATA_DIFFER, message };
}

function listed(what: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${what} (${names.join(', ')})`;
}

/** Without those that both sides load, in whatever order; where only the order differs, all of them. */
function changedFiles(baseline: SideData, candidate: SideData): string[] {
  const before = contents(baseline);
  const now = contents(candidate);
  if (before.every(({ hash }, at) => hash === now[at]?.hash) && before.length === now.length) return [];
  const only = (some: Content[], others: Content[]) =>
    some.filter(({ hash }) => others.every((other) => other.hash !== hash)).map(({ name }) => name);
  const changed = [...only(before, now), ...only(now, before)];
  return [...new Set(changed.length === 0 ? now.map(({ name }) => name) : changed)];
}

interface Content {
  name: string;
  hash: string;
}

function contents({ database, init }: SideData): Content[] {
  return database!.init.map((name, at) => ({ name, hash: init[at] ?? `unread ${name}` }));
}

function changedSettings({ settings: before }: Database, { settings: now }: Database): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.filter((name) => before[name] !== now[name]);
}
