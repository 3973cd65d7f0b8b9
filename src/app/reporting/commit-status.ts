import { type CommitStatus, unreportedStatus } from '../../core/reporting/status.ts';
import type { ForgeFailure, WorkflowRun } from '../ports/forge.ts';
import { specsAt } from './base-specs.ts';
import { withFallback } from './degrade.ts';
import type { ReportAdapters, ReportRequest } from './report-request.ts';

/** The run that a status is of. */
export type StatusRun = Pick<WorkflowRun, 'id' | 'attempt' | 'url'> & { head: { sha: string } };

type Setting = Pick<ReportAdapters, 'forge' | 'warn' | 'status'>;

/** Sets a status of the run's commit, where statuses are wanted. What cannot be set is told. */
export async function setStatus(
  status: CommitStatus,
  run: StatusRun,
  { forge, warn, ...wish }: Setting,
): Promise<void> {
  if (!wish.status) return;
  await withFallback(undefined, `The status ${status.context} cannot be written`, warn, () =>
    forge.setStatus(run.head.sha, { ...status, url: run.url }),
  );
}

/**
 * Where it cannot be read whose run it is, nobody is told of it, and a required status would be waited for in vain: each
 * spec that was measured, or that the default branch has, gets an error. Never rejects with `ForgeFailure`.
 */
export async function setUnreported(
  { message }: ForgeFailure,
  run: StatusRun,
  { records, defaultBranch, specs }: Pick<ReportRequest, 'records' | 'defaultBranch' | 'specs'>,
  adapters: Setting,
): Promise<void> {
  const { forge, warn } = adapters;
  const known = records?.map(({ specName }) => specName);
  for (const specName of known ?? (await specsAt(defaultBranch, specs, forge, warn)).specs.keys()) {
    await setStatus(unreportedStatus(specName, message), run, adapters);
  }
}
