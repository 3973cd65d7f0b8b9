import type { Comparison } from '../core/comparison/comparison.ts';
import { hidingChange, keptAlready, publicationChange, type Retention } from '../core/publication/change.ts';
import { isRunId, placeOf, type StoredPlace } from '../core/publication/place.ts';
import { publishedRecord } from '../core/publication/published-record.ts';
import { redactedSpec } from '../core/record/redaction.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { maxRecordLength } from '../core/record/run-record-file.ts';
import { UserError } from '../core/user-error.ts';
import type { DataBranch } from './ports/data-branch.ts';

export interface PublishOptions {
  retention: Retention;
  squash: boolean;
  /** Records of the branch that were found to be none. */
  unreadable?: readonly StoredPlace[];
  /** Id of the workflow run that measured; null where none did. */
  workflowRun?: number | null;
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
  { retention, squash, unreadable = [], workflowRun = null, now }: PublishOptions,
  signal: AbortSignal,
): Promise<Published> {
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
  const kept = publishedRecord({ ...record, spec: redactedSpec(spec) }, comparison);
  const content = `${JSON.stringify(kept)}\n`;
  refuseTooLong(content, id);
  let there: StoredPlace = place;
  const { sha, retries } = await branch.commit((entries) => {
    there = keptAlready(entries, { place, unreadable }) ?? place;
    return publicationChange(entries, { place, content, unreadable, retention, squash, now });
  }, signal);
  return { path: there.path, run: there.id, commit: sha, retries };
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

/** Takes a run out of every history without removing it. Throws as `hidingChange`. */
export async function hide(
  { specName, id, reason }: { specName: string; id: string; reason: string },
  branch: DataBranch,
  signal: AbortSignal,
): Promise<{ commit: string | null }> {
  if (!isRunId(id))
    throw new UserError(`\`${id.slice(0, 80)}\` is not a run's id; they are as 20261120-092802-0a1b2c.`);
  const { sha } = await branch.commit((entries) => hidingChange(entries, { specName, id, reason }), signal);
  return { commit: sha };
}
