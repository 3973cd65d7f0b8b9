import { type Manifest, monthOf } from './manifest.ts';
import { readPlace } from './place.ts';
import { newestRun, type SpecFiles } from './spec-files.ts';

/**
 * Months whose pieces do not hold exactly the runs of the branch: somebody published without them, or took some away. `files` are
 * of the branch that the manifest was read from.
 */
export function monthsOutOfStep({ months, since }: Manifest, { runs, pieces }: SpecFiles): Set<string> {
  const counts = new Map<string, number>();
  for (const { id } of runs) {
    if (since === null || id >= since) counts.set(monthOf(id), (counts.get(monthOf(id)) ?? 0) + 1);
  }
  const numbers = new Map<string, number[]>();
  for (const { month, number } of pieces) numbers.set(month, [...(numbers.get(month) ?? []), number]);
  const known = new Map(months.map((each) => [each.month, each]));
  const all = new Set([...counts.keys(), ...numbers.keys(), ...known.keys()]);
  return new Set(
    [...all].filter((month) => {
      const entry = known.get(month);
      if (entry === undefined) return true;
      const own = numbers.get(month) ?? [];
      const isWhole = own.length === entry.pieces && own.every((number, index) => number === index + 1);
      return !isWhole || entry.runs - entry.gone - entry.imported !== (counts.get(month) ?? 0);
    }),
  );
}

/** With runs that the same commit takes from the branch, whose rows stay in pieces. */
export function withGone(manifest: Manifest, ids: readonly string[]): Manifest {
  const gone = ids.filter((id) => manifest.since === null || id >= manifest.since).map(monthOf);
  return {
    ...manifest,
    months: manifest.months.map((each) => ({
      ...each,
      gone: each.gone + gone.filter((month) => month === each.month).length,
    })),
  };
}

/** Months of which a page has nothing to show. */
export function emptyMonths({ months }: Manifest): string[] {
  return months.filter(({ runs, gone }) => gone >= runs).map(({ month }) => month);
}

export type LeftOut = Manifest['leftOut'][number];

/** Characters: the file that hides a run holds all of it. */
const LONGEST_REASON = 300;

/**
 * What counts of all the runs that pieces hold. `files` are those that the branch is to have; `known` are reasons that only this
 * commit knows, and `expired` the runs that it removes.
 */
export function withStanding(
  manifest: Manifest,
  files: SpecFiles,
  { known, expired }: { known: readonly LeftOut[]; expired: readonly string[] },
): Manifest {
  const { runs, hidden, setAside } = files;
  const newest = newestRun(files);
  const oldest = runs[0]?.id ?? null;
  const there = new Set(runs.map(({ id }) => id));
  const reasons = new Map([...manifest.leftOut, ...known].map((each) => [each.id, each]));
  const entry = (id: string, why: LeftOut['why']): LeftOut => {
    const before = reasons.get(id);
    return { id, why, reason: before?.why === why ? shortened(before.reason) : '' };
  };
  const expiredBefore = manifest.leftOut.flatMap(({ id, why }) => (why === 'expired' ? [id] : []));
  const leftOut = [
    ...hidden.filter((id) => there.has(id)).map((id) => entry(id, 'hidden')),
    ...setAside.filter((id) => !there.has(id)).map((id) => entry(id, 'set aside')),
    ...[...new Set([...expiredBefore, ...expired])].filter((id) => !there.has(id)).map((id) => entry(id, 'expired')),
  ];
  return {
    ...manifest,
    latest: newest === null ? null : { id: newest.id, path: inSpecFolder(newest.path) },
    // What is older than all that is kept has expired, and is told by that.
    leftOut: oldest === null ? [] : leftOut.filter(({ id }) => id >= oldest),
    oldest,
  };
}

/** Ids of hidden runs whose reason the manifest does not tell. */
export function unknownReasons(manifest: Manifest, { hidden }: Pick<SpecFiles, 'hidden'>): string[] {
  const known = new Set(
    manifest.leftOut.flatMap(({ id, why, reason }) => (why === 'hidden' && reason !== '' ? [id] : [])),
  );
  return hidden.filter((id) => !known.has(id));
}

function shortened(reason: string): string {
  const line = reason.trim();
  return line.length <= LONGEST_REASON ? line : `${line.slice(0, LONGEST_REASON - 1)}…`;
}

/** Ids of the runs among paths. */
export function runIds(paths: readonly string[]): string[] {
  return paths.flatMap((path) => readPlace(path)?.id ?? []);
}

/** `runs/2026-11/….json` of `wrkbench/SPEC/runs/2026-11/….json`. */
function inSpecFolder(path: string): string {
  return path.split('/').slice(2).join('/');
}
