import { type PrepareStep, sqlFilesOf } from '../config/prepare.ts';
import type { Database } from '../config/resolved.ts';
import type { Reason } from '../measurement/names.ts';
import { canonicalText } from './canonical.ts';

/** Code of the warning; under this name less data is accepted. */
export const DATA_DIFFER = 'data-differ';

/** What one side's database is loaded with. */
export interface SideData {
  database: Database | null;
  /** Hashes of the contents of `database.init`, in their order; null for one that cannot be read. */
  init: readonly (string | null)[];
  /** Its steps, and hashes of the contents of the SQL files in them as above; absent where there are none. */
  prepare?: { steps: readonly PrepareStep[]; hashes: readonly (string | null)[] };
}

/**
 * Data and settings are a part of the workload, and a change of the schema needs its own: each side is loaded with its own, and what
 * differs is said. Null where both sides have the same.
 */
export function dataDifference(baseline: SideData, candidate: SideData): Reason | null {
  if (baseline.database === null || candidate.database === null) return null;
  const parts = [
    listed('init SQL', changedFiles(initOf(baseline), initOf(candidate))),
    listed('SQL of `prepare`', changedFiles(prepareOf(baseline), prepareOf(candidate))),
    sameSteps(baseline, candidate) ? '' : 'steps of `prepare`',
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
function changedFiles(before: Content[], now: Content[]): string[] {
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

const initOf = ({ database, init }: SideData) => contents(database!.init, init);

function prepareOf({ prepare: { steps, hashes } = NONE }: SideData): Content[] {
  return contents(sqlFilesOf({ prepare: [...steps] }), hashes);
}

const NONE: NonNullable<SideData['prepare']> = { steps: [], hashes: [] };

function contents(names: readonly string[], hashes: readonly (string | null)[]): Content[] {
  return names.map((name, at) => ({ name, hash: hashes[at] ?? `unread ${name}` }));
}

/** But for which files hold their SQL, whose contents are compared. */
function sameSteps(...sides: [SideData, SideData]): boolean {
  const [before, now] = sides.map(({ prepare = NONE }) =>
    canonicalText(prepare.steps.map((step) => (step.kind === 'sql' ? { ...step, files: step.files.length } : step))),
  );
  return before === now;
}

function changedSettings({ settings: before }: Database, { settings: now }: Database): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.filter((name) => before[name] !== now[name]);
}
