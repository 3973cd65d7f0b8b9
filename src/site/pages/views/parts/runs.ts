import { hasFigures } from '../../measured-runs.ts';
import type { Page, RunEntry, State } from '../../view.ts';

/** The run that an address asks for. */
export interface FoundRun {
  entry: RunEntry;
  /** Why it is not the one that was asked for, as a sentence; null where it is. */
  instead: string | null;
}

/** What stands for a spec where no run is asked for. */
export type Shows = (run: RunEntry) => boolean;

/**
 * By id, else by commit, else the newest with a file that `shows`, which is one with figures; without any, the newest with a file. Null where
 * there is none at all.
 */
export async function findRun(
  page: Page,
  { id, commit, shows = hasFigures }: { id?: string | undefined; commit?: string | undefined; shows?: Shows },
): Promise<FoundRun | null> {
  const { data } = page;
  if (id !== undefined) {
    // Ids begin with the time, and a run is in a piece of its month: whoever has an older month has all of it.
    const month = id.slice(0, 6);
    await data.fetchRuns(
      (fetched) => fetched.some((run) => run.id === id) || (fetched[0]?.id.slice(0, 6) ?? '~') < month,
    );
    const entry = data.runs().find((run) => run.id === id);
    return entry === undefined ? newest(page, shows, missing(page, id)) : { entry, instead: null };
  }
  if (commit !== undefined) {
    const sha = commit.toLowerCase();
    const isOf = (run: RunEntry) => /^[0-9a-f]{4,64}$/.test(sha) && run.sha?.startsWith(sha) === true && !run.imported;
    await data.fetchRuns((fetched) => fetched.some(isOf));
    const entry = data.runs().findLast(isOf);
    if (entry !== undefined) return { entry, instead: null };
    return newest(page, shows, `No run of the commit ${shortened(commit)} is kept here. Shown is the newest run.`);
  }
  return newest(page, shows, null);
}

async function newest({ data }: Page, shows: Shows, instead: string | null): Promise<FoundRun | null> {
  const hasFile = (run: RunEntry) => !run.imported;
  const isShown = (run: RunEntry) => hasFile(run) && shows(run);
  await data.fetchRuns((fetched) => fetched.some(isShown));
  const entry = data.runs().findLast(isShown) ?? data.runs().findLast(hasFile);
  return entry === undefined ? null : { entry, instead };
}

function missing({ data: { manifest } }: Page, id: string): string {
  const left = manifest.leftOut.find((each) => each.id === id);
  if (left !== undefined) {
    const reason = left.reason === '' ? '' : ` (${shortened(left.reason, 200)})`;
    return `The run ${shortened(id)} is ${left.why}${reason}. Shown is the newest run.`;
  }
  return `There is no run ${shortened(id)} here: it may have expired. Shown is the newest run.`;
}

function shortened(text: string, most = 60): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Those with a file, the newest first. */
export function runsWithFiles({ data }: Page): RunEntry[] {
  return data
    .runs()
    .filter(({ imported }) => !imported)
    .reverse();
}

/** The newest of those with a file that are older than `entry` and that `shows`, fetched where it is not here yet; null where there is none. */
export async function runBefore(
  { data }: Page,
  { id }: Pick<RunEntry, 'id'>,
  shows: Shows = () => true,
): Promise<RunEntry | null> {
  const { oldest } = data.manifest;
  // What is older still was imported, and need not be fetched.
  if (oldest !== null && id <= oldest) return null;
  const isBefore = (run: RunEntry) => !run.imported && run.id < id && shows(run);
  await data.fetchRuns((fetched) => fetched.some(isBefore));
  return data.runs().findLast(isBefore) ?? null;
}

/** Whether there are runs with a file that were not fetched. */
export function hasOlder({ data, data: { manifest } }: Page): boolean {
  const kept = manifest.months.reduce((sum, { runs, gone, imported }) => sum + runs - gone - imported, 0);
  const hidden = manifest.leftOut.filter(({ why }) => why === 'hidden').length;
  return kept - hidden > data.runs().filter(({ imported }) => !imported).length;
}

export async function fetchOlder({ data }: Page): Promise<void> {
  const before = data.runs().length;
  await data.fetchRuns((fetched) => fetched.length > before);
}

/** `2026-11-20 09:28 · 3f2c1ab · passed` */
export function runTitle({ at, sha, release, passed, pullRequest }: RunEntry): string {
  const time = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const parts = [time, sha?.slice(0, 7) ?? 'no commit', ...(release === null ? [] : [release])];
  if (pullRequest !== null) parts.push(`pull request ${pullRequest}`);
  if (passed !== null) parts.push(passed ? 'passed' : 'failed');
  return parts.join(' · ');
}

/** The key of a view's address as it is; undefined where it is empty, too. */
export function asked(state: State, key: string): string | undefined {
  const value = state.get(key);
  return value === undefined || value === '' ? undefined : value;
}
