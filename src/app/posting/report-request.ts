import type { Acceptance } from '../../core/comparison/comparison.ts';
import type { LostRun } from '../../core/posting/lost-run.ts';
import type { FailOn, JudgedRun, RunVerdict } from '../../core/posting/verdict.ts';
import type { Retention } from '../../core/publication/change.ts';
import type { BranchHistory } from '../branch-history.ts';
import type { ArchiveReader } from '../ports/archive.ts';
import type { DataBranch } from '../ports/data-branch.ts';
import type { Forge, WorkflowRun } from '../ports/forge.ts';
import type { Published } from '../publish.ts';
import type { PagesSource } from '../site-change.ts';
import type { FoundRecord } from './artifact-records.ts';
import type { Recipient } from './recipient.ts';
import type { Reporter } from './reporter.ts';

/** What the reporting job is asked for. */
export interface ReportRequest {
  /** Of the workflow that measured. */
  run: WorkflowRun;
  /** '' where the event does not name it. */
  defaultBranch: string;
  /** Of this job's own event, where the run is of that; else it is looked for by its head. */
  pullRequest?: number | null;
  /** Paths of specs, or globs. */
  specs: readonly string[];
  /** As the measuring job had them. */
  only: string | null;
  quick: boolean;
  /** By the workflow itself, which nobody changes unseen. */
  accepted?: readonly Acceptance[];
  /** The workflow wants no comparison. */
  withoutBaseline?: boolean;
  /** Globs of the files that matter; none where all do. */
  paths: readonly string[];
  fail: FailOn;
  publish: boolean;
  retention?: Retention;
  squash?: boolean;
  /** Of a run that measured in this very job: nothing is read from artifacts. */
  records?: FoundRecord[];
  /** The merge of a pull request that this job was given to check out, where it measured. */
  checkedOut?: string | null;
}

export interface ReportAdapters extends Omit<Reporter, 'warn'> {
  forge: Forge;
  archives: ArchiveReader;
  /** Null where nothing is kept. */
  branch: DataBranch | null;
  history: BranchHistory | null;
  /** What the pages are made by. */
  pages: PagesSource;
  /** Makes their static files, with the project's own texts as that commit has them. Rejects with `ForgeFailure`. */
  siteAt?(sha: string): Promise<Pick<PagesSource, 'site' | 'stale'>>;
  warn(text: string): void;
  now(): Date;
}

export interface ReportResult {
  recipient: Recipient;
  /** The most severe of all specs. */
  verdict: RunVerdict;
  judged: JudgedRun[];
  /** Specs that were to be measured, and why they were not. */
  missing: LostRun[];
  /** That the run left nothing at all, a sentence; null where it left something, or rightly has nothing. */
  nothing: string | null;
  published: Published[];
  commentUrl: string | null;
  /** Where the runs of a spec are shown that was published; null where none was. */
  pageUrl: string | null;
  /** How to have the pages shown that were published; null where they are, and where none was. */
  pagesAdvice: string | null;
}
