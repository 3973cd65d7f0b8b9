import { shortSha } from '../baseline/commit.ts';
import type { RunRecord } from '../record/run-record.ts';

/** What GitHub itself says of the commits that a workflow run measured, whatever the record claims. */
export interface MeasuredCommit {
  /** Head of the pull request, or the commit that was pushed. */
  head: string;
  /** The merge of both, with its parents, where the record names one that GitHub knows; null else. */
  merge: { sha: string; parents: string[] } | null;
  /** The merge that the very job was given that reports now: nobody has to ask what it is. Null where another job measured. */
  checkedOut?: string | null;
  /** Where the pull request left its base branch: what its head is held against. Null where nobody can tell. */
  left?: string | null;
}

/**
 * Why the record cannot be of this run: it is of another commit, or compared with another one than a pull request's base.
 * Empty where nothing speaks against it.
 */
export function contradictions(
  { source, comparing }: Pick<RunRecord, 'source' | 'comparing'>,
  { head, merge, checkedOut = null, left = null }: MeasuredCommit,
): string[] {
  const { sha } = source;
  const isMerge = merge !== null && sha === merge.sha && merge.parents.includes(head);
  const isOwn = sha !== null && sha === checkedOut;
  if (sha !== head && !isMerge && !isOwn) {
    const said = sha === null ? 'no commit' : shortSha(sha);
    return [`the record is of ${said}, and the run was of ${shortSha(head)}`];
  }
  const against = comparing?.baseline.sha ?? null;
  const base = isMerge ? merge.parents[0]! : sha === head ? left : null;
  if (base === null || against === null || against === base) return [];
  const where = isMerge ? 'is to be merged into' : 'left its base at';
  return [`the record compares with ${shortSha(against)}, and the pull request ${where} ${shortSha(base)}`];
}
