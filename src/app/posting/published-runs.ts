import type { JudgedRun } from '../../core/posting/verdict.ts';
import { keepAll } from '../../core/publication/change.ts';
import { UserError } from '../../core/user-error.ts';
import { DataBranchFailure } from '../ports/data-branch.ts';
import { type Published, publish } from '../publish.ts';
import type { Context } from './context.ts';
import type { ReportAdapters } from './report-request.ts';

/** Keeps what was judged on the data branch, where it is a run of the default branch. What cannot be kept is told. */
export async function publishedRuns(
  judged: readonly JudgedRun[],
  { request, recipient }: Context,
  { branch, history, warn, now }: ReportAdapters,
  signal: AbortSignal,
): Promise<Published[]> {
  if (branch === null || !request.publish || recipient.kind !== 'branch' || !recipient.publishes) return [];
  const published: Published[] = [];
  for (const { record, comparison, unverified } of judged) {
    if (unverified !== null) continue;
    const { retention = keepAll, squash = false, run } = request;
    // One file, of the newest run: where it is broken, it is told and set aside, and so is the one before it.
    await history?.latest(record.spec.name, []);
    const unreadable = history?.unreadable ?? [];
    const options = { retention, squash, unreadable, workflowRun: run.id, now: now() };
    try {
      published.push(await publish(record, comparison, branch, options, signal));
    } catch (error) {
      if (!(error instanceof UserError) && !(error instanceof DataBranchFailure)) throw error;
      warn(`The run of ${record.spec.name} was not published: ${error.message}`);
    }
  }
  return published;
}
