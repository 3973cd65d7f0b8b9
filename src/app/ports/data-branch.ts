import type { BranchChange, BranchEntry } from '../../core/publication/change.ts';

/**
 * A branch that holds data, of a repository elsewhere. Neither the user's checkout nor their repository is touched: all of
 * it happens in a repository of its own that is gone afterwards.
 */
export interface DataBranch {
  /** `gh-pages of https://github.com/acme/api`, without credentials. */
  place: string;
  /** What our folder holds at the newest tip; empty where there is no such branch. Rejects with `DataBranchFailure`. */
  entries(signal: AbortSignal): Promise<BranchEntry[]>;
  /**
   * Of those paths that the branch had when it was read last, in their order: one text at a time, since many of them need not
   * fit into memory. Rejects with `DataBranchFailure`, before the first one where the server fails.
   */
  texts(paths: readonly string[], mostBytes: number, signal: AbortSignal): AsyncIterable<BranchText>;
  /**
   * Commits what `change` makes of the newest tip and pushes it, if nobody else has meanwhile; else once more on the tip that
   * there is then. `change` gives null where nothing is to be done. Rejects with `DataBranchFailure`, and with what `change`
   * throws. `ahead` is fetched while the branch is listed.
   */
  commit(change: MakeChange, signal: AbortSignal, ahead?: ReadAhead): Promise<BranchCommit>;
  /** Removes what it keeps on this machine. Never rejects. */
  close(): Promise<void>;
}

/** `read` gives texts of the very tip that `entries` is of, as `texts` does: those alone are fetched, all at once. */
export type MakeChange = (
  entries: BranchEntry[],
  read: BranchReader,
) => BranchChange | null | Promise<BranchChange | null>;

/** What a change will read in any case, as far as the files of these folders tell it. */
export interface ReadAhead {
  /** Each ends with a slash; those that lie deeper are not listed. */
  folders: readonly string[];
  pathsOf(files: readonly string[]): string[];
}

export type BranchReader = (paths: readonly string[], mostBytes: number) => AsyncIterable<BranchText>;

export interface BranchText {
  path: string;
  /** Null where it is longer than it may be, and was not read. */
  text: string | null;
}

export interface BranchCommit {
  /** Null where nothing was to be done. */
  sha: string | null;
  /** How often somebody else was first. */
  retries: number;
}

/** The branch could not be read or written; the message is a sentence for people, without credentials. */
export class DataBranchFailure extends Error {
  override name = 'DataBranchFailure';
}
