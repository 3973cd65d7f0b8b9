import type { CommitStatus } from '../../core/posting/status.ts';

/** The forge that a repository lies on: GitHub, or one whose API is like GitHub's. Every call rejects with `ForgeFailure`. */
export interface Forge {
  pullRequest(number: number): Promise<PullRequest | null>;
  /** Those that are open and have this head; a fork's as well. */
  pullRequestsOf(head: { owner: string; branch: string }): Promise<PullRequest[]>;
  /** Those that have this commit as their head, open or closed, from whatever branch, as far as the forge tells. */
  pullRequestsWith(head: { owner: string; branch: string; sha: string }): Promise<PullRequest[]>;
  /** Those that brought this commit, as far as the forge tells. */
  pullRequestsBringing(sha: string): Promise<BringingPullRequest[]>;
  /** Null where there are more of them than the forge tells. */
  changedFiles(number: number): Promise<string[] | null>;
  /** Messages of a pull request's commits, the oldest first; null where there are more of them than the forge tells. */
  commitMessages(number: number): Promise<string[] | null>;
  commit(sha: string): Promise<{ parents: string[]; message: string } | null>;
  /** Whether a branch holds a commit. */
  isOnBranch(branch: string, sha: string): Promise<boolean>;
  /** The last commit that two have in common, by a branch or a commit each; null where the forge does not tell. */
  mergeBase(one: string, other: string): Promise<string | null>;
  /** A file's text at a commit; null where it is not there. */
  textAt(path: string, sha: string): Promise<string | null>;
  /** Paths of all files at a commit. */
  filesAt(sha: string): Promise<string[]>;

  /** Paths of the files that lie right in a folder at a commit, and their lengths; none where there is no such folder. */
  folderAt(path: string, sha: string): Promise<{ path: string; bytes: number }[]>;
  /** A file's content at a commit, up to 1 MiB; null where it is not there. */
  contentAt(path: string, sha: string): Promise<Uint8Array | null>;
  /** Null where the repository has no site, or the forge shows none. */
  site(): Promise<RepositorySite | null>;

  comments(number: number): Promise<Comment[]>;
  /** Null where it is gone. */
  comment(id: number): Promise<Comment | null>;
  createComment(number: number, text: string): Promise<Comment>;
  updateComment(id: number, text: string): Promise<Comment>;
  deleteComment(id: number): Promise<void>;

  /** Of a commit, the newest first; null where the forge does not tell. */
  statuses(sha: string): Promise<LinkedStatus[] | null>;
  setStatus(sha: string, status: LinkedStatus): Promise<void>;
  /** Throws `ForgeFailure` with `missing` where the forge has no check runs. */
  createCheck(sha: string, check: Check): Promise<void>;

  /** Who set a label on it and when, of those that it has now. */
  labelsSet(number: number): Promise<LabelSet[]>;
  removeLabel(number: number, label: string): Promise<void>;
  /** Whether that user may write to the repository. */
  mayWrite(user: string): Promise<boolean>;

  workflowRun(id: number): Promise<WorkflowRun | null>;
  /** Address of a run's page; null where the forge does not tell. */
  runPage(id: number): Promise<string | null>;
  /** Runs of all workflows for a commit, in no order. */
  runsOf(sha: string): Promise<WorkflowRun[]>;
  /** Runs of all workflows for an event on a branch of that name, a fork's as well, in no order; the latest 1000. */
  runsOn(branch: string, event: string): Promise<ListedRun[]>;
  artifacts(run: number): Promise<ArtifactFacts[]>;
  /** A zip, `most` bytes of it at most: one that is longer is a failure. */
  downloadArtifact(id: number, most: number): Promise<Uint8Array>;
}

export interface PullRequest {
  number: number;
  state: 'open' | 'closed';
  head: { sha: string; branch: string; owner: string };
  base: { sha: string; branch: string };
  /** Its branch lies in another repository than its base. */
  fromFork: boolean;
  labels: string[];
}

export interface MergedPullRequest extends PullRequest {
  /** ISO 8601. */
  mergedAt: string;
}

interface BringingPullRequest extends PullRequest {
  /** As which commit it was merged, and when (ISO 8601); null for one that was not. */
  merged: { as: string | null; at: string } | null;
}

/** A web site that the forge serves from a repository. */
export interface RepositorySite {
  /** With `/` at its end; null where this job may not read it. */
  url: string | null;
  /** What is served: a folder of a branch, `/` for all of it. Null where something else is, or where this job may not read it. */
  source: { branch: string; folder: string } | 'another' | null;
}

export interface Comment {
  id: number;
  text: string;
  /** Login; null for one who is gone. */
  author: string | null;
  url: string;
}

/** `url`: what the status is about, a run of a workflow. */
export type LinkedStatus = CommitStatus & { url: string | null };

export interface Check {
  name: string;
  conclusion: 'success' | 'failure' | 'neutral';
  title: string;
  summary: string;
  /** 50 at most. */
  annotations: readonly CheckAnnotation[];
}

/** Beside a line of a file. */
export interface CheckAnnotation {
  path: string;
  line: number;
  level: 'failure' | 'warning' | 'notice';
  title: string;
  message: string;
}

export interface LabelSet {
  label: string;
  by: string;
  /** ISO 8601. */
  at: string;
  /** The pull request's branch was force-pushed since. */
  pushedOver: boolean;
}

export interface WorkflowRun {
  id: number;
  attempt: number;
  event: string;
  /** `.github/workflows/benchmark.yml` */
  path: string;
  head: { sha: string; branch: string; owner: string };
  /** Its code lies in another repository. */
  fromFork: boolean;
  /** Null while it goes on. */
  conclusion: string | null;
  url: string;
}

export interface ListedRun extends WorkflowRun {
  /** ISO 8601; later attempts keep it. */
  createdAt: string;
}

export interface ArtifactFacts {
  id: number;
  name: string;
  bytes: number;
  expired: boolean;
}

/** The forge said no, or nothing; the message is a sentence for people. */
export class ForgeFailure extends Error {
  override name = 'ForgeFailure';
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}
