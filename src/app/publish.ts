import type { Comparison } from '../core/comparison/comparison.ts';
import {
  hidingChange,
  keptAlready,
  publicationChange,
  type Retention,
  rebuildingChange,
} from '../core/publication/change.ts';
import { countedRuns, hiddenPath, isRunId, placeOf, type StoredPlace } from '../core/publication/place.ts';
import { publishedRecord } from '../core/publication/published-record.ts';
import { publishedText } from '../core/record/published-form.ts';
import { redactedSpec } from '../core/record/redaction.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { maxRecordLength } from '../core/record/run-record-file.ts';
import { UserError } from '../core/user-error.ts';
import { badgePaths, newestReadableRun } from './newest-readable-run.ts';
import type { DataBranch } from './ports/data-branch.ts';
import { pagesReadAhead, withPages } from './published-pages.ts';
import type { PagesSource } from './site-change.ts';

export interface PublishOptions {
  retention: Retention;
  squash: boolean;
  /** Records of the branch that were found to be none. */
  unreadable?: readonly StoredPlace[];
  /** Id of the workflow run that measured; null where none did. */
  workflowRun?: number | null;
  /** Name of a tag of its commit, where the record does not tell. */
  release?: string | null;
  /** What its generators wrote, as `rawText` makes it. */
  raw?: string | null;
  pages: PagesSource;
  warn(text: string): void;
  now: Date;
}

export interface Published {
  path: string;
  /** Id of the run that is kept there: an earlier attempt's, where the same workflow run has published one. */
  run: string;
  /** Null where the branch had the run already. */
  commit: string | null;
  retries: number;
}

/**
 * Adds a run to the data branch. A run that is there already stays as it is, and so does what an earlier attempt of the
 * same workflow run has published: a second attempt adds nothing. Throws `UserError` for a record that no later
 * run could be held against, and rejects with `DataBranchFailure`.
 */
export async function publish(
  record: RunRecord,
  comparison: Comparison | null,
  branch: DataBranch,
  options: PublishOptions,
  signal: AbortSignal,
): Promise<Published> {
  const { retention, squash, unreadable = [], workflowRun = null, release = null, raw = null, pages, now } = options;
  const { id, spec, source, interrupted } = record;
  if (interrupted !== null) {
    throw new UserError(
      `The run ${id} ended early (${interrupted.message.replace(/\.$/, '')}), so it is not published: cases are missing.`,
    );
  }
  const place = placeOf({ specName: spec.name, id, sha: source.sha, workflowRun });
  if (place === null) {
    throw new UserError(
      `The record names no run that wrkbench makes (${JSON.stringify(id.slice(0, 80))}); not published.`,
    );
  }
  const kept = publishedRecord({ ...record, spec: redactedSpec(spec) }, comparison, { release, raw: raw !== null });
  const content = publishedText(kept);
  refuseTooLong(content, id);
  let there: StoredPlace = place;
  const run = { record: kept, workflowRun, place };
  const warn = once(options.warn);
  const { sha, retries } = await branch.commit(
    async (entries, read) => {
      there = keptAlready(entries, { place, unreadable }) ?? place;
      const change = publicationChange(entries, { place, content, raw, unreadable, retention, squash, now });
      if (change === null) return null;
      return await withPages(change, { specName: spec.name, run, source: pages }, { entries, read }, warn);
    },
    signal,
    pagesReadAhead(spec.name, id),
  );
  return { path: there.path, run: there.id, commit: sha, retries };
}

/** A change is made anew on every tip, and finds the same there. */
function once(warn: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (!said.has(text)) warn(text);
    said.add(text);
  };
}

const MIB = 1024 * 1024;

/** Nobody would read it again. */
function refuseTooLong(content: string, id: string): void {
  const bytes = Buffer.byteLength(content);
  if (bytes <= maxRecordLength) return;
  throw new UserError(
    `The record of the run ${id} has ${Math.ceil(bytes / MIB)} MiB, and no more than ${maxRecordLength / MIB} MiB of one are read from the data branch, so it is not published. Divide its cases among several specs.`,
  );
}

export interface PagesOptions {
  pages: PagesSource;
  warn(text: string): void;
}

/** Takes a run out of every history without removing it. Throws as `hidingChange`. */
export async function hide(
  { specName, id, reason }: { specName: string; id: string; reason: string },
  branch: DataBranch,
  { pages, warn }: PagesOptions,
  signal: AbortSignal,
): Promise<{ commit: string | null }> {
  if (!isRunId(id))
    throw new UserError(`\`${id.slice(0, 80)}\` is not a run's id; they are as 20261120-092802-0a1b2c.`);
  const { sha } = await branch.commit(async (entries, read) => {
    const change = hidingChange(entries, { specName, id, reason });
    if (change === null) return null;
    const known = [{ id, why: 'hidden' as const, reason }];
    const before = entries.map(({ path }) => path);
    // Those after it may have measured nothing: the badges are of it then.
    const shown = await newestReadableRun(before, specName, read);
    const wasNewest = countedRuns(before, specName)[0]?.id === id || shown?.record.id === id;
    const becomesNewest = wasNewest
      ? await newestReadableRun([...before, hiddenPath(specName, id)], specName, read)
      : null;
    const remove = wasNewest && becomesNewest === null ? badgePaths(before, specName) : [];
    const request = { specName, run: null, source: pages, known, becomesNewest };
    return await withPages({ ...change, remove }, request, { entries, read }, once(warn));
  }, signal);
  return { commit: sha };
}

/** Makes the manifest and all series of a spec anew from its runs. Throws `UserError` where the branch holds none. */
export async function rebuildPages(
  specName: string,
  branch: DataBranch,
  { pages, warn }: PagesOptions,
  signal: AbortSignal,
): Promise<{ commit: string | null; runs: number }> {
  let runs = 0;
  const { sha } = await branch.commit(async (entries, read) => {
    const change = rebuildingChange(entries, specName);
    const paths = entries.map(({ path }) => path);
    runs = countedRuns(paths, specName).length;
    const becomesNewest = await newestReadableRun(paths, specName, read);
    const request = { specName, run: null, source: pages, becomesNewest, rebuild: true };
    return await withPages(change, request, { entries, read }, once(warn));
  }, signal);
  return { commit: sha, runs };
}
