import type { CheckoutFacts } from '../../core/baseline/commit.ts';
import type { Reason } from '../../core/measurement/names.ts';

export interface Repositories {
  /** The repository that a folder lies in, or why there is none that can be read. */
  at(directory: string): Promise<Repository | Reason>;
}

/** A git repository. Nothing here touches its checkout, index, configuration or branches. */
export interface Repository {
  /** Top of the checkout, absolute, without symbolic links. */
  root: string;
  /** A file's path relative to `root`; null where it lies elsewhere. */
  pathOf(file: string): Promise<string | null>;
  /**
   * `baseBranch`: that the checkout grew from; null takes that of the remote, or main or master. What lies in `ownFolders`
   * (absolute) is none of its changes.
   */
  facts(baseBranch: string | null, ownFolders: string[]): Promise<CheckoutFacts>;
  /** The commit that a name stands for; null where none is here. No name is ever taken for an option. */
  commitOf(name: string): Promise<string | null>;
  /** From a commit back along first parents, itself first; empty where it is not here. */
  firstParents(sha: string, most: number): Promise<string[]>;
  /** A file's text at a commit; null where it is not there. `path` is relative to `root`. */
  textAt(sha: string, path: string): Promise<string | null>;
  /** Id of the tree of a commit. */
  treeOf(sha: string): Promise<string | null>;
  /** Some of the files and folders that git is told to ignore, relative to `root`, without what runs leave. */
  ignored(most: number, ownFolders: string[]): Promise<string[]>;
  /** Tells one state of the checkout from another, changes and all; null where git cannot say. */
  fingerprint(ownFolders: string[]): Promise<string | null>;
  /** A clean checkout of a commit, with its submodules, in a folder of its own. Rejects with `WorktreeFailure`. */
  worktree(sha: string, signal: AbortSignal): Promise<Worktree>;
}

export interface Worktree {
  /** Absolute, without symbolic links. */
  directory: string;
  /** What is not as its author had it. */
  warnings: Reason[];
  /** Takes away what makes it a repository: an image that is built of it would hold a link to nowhere. */
  withoutLink(): Promise<void>;
  /**
   * Makes it a repository of its own, after `withoutLink`, which has its commit alone and no settings of the user's: for builds that take
   * their version from there. Where git cannot, it stays without. Rejects only with the reason of the signal.
   */
  withRepository(): Promise<void>;
  /** Never rejects; safe to call twice. */
  release(): Promise<void>;
}

/** A commit could not be checked out; the message is a sentence for people, without credentials. */
export class WorktreeFailure extends Error {
  override name = 'WorktreeFailure';
}
