import type { NewStatus } from '../../core/posting/status.ts';
import { readMark } from '../../core/posting/status-mark.ts';
import type { WorkflowRun } from '../ports/forge.ts';
import { withFallback } from './degrade.ts';
import type { Recipient } from './recipient.ts';
import type { Reporter } from './reporter.ts';

/**
 * The statuses of a run but those by which a branch would answer for an open pull request of the same commit: a success that nothing
 * was compared for. That one has its own run, which is held against its base. A scheduled run answers for nobody: its statuses have
 * a name of their own.
 */
export async function withoutUncompared(
  statuses: readonly NewStatus[],
  { recipient, run }: { recipient: Recipient; run: Pick<WorkflowRun, 'event' | 'head'> },
  { forge, warn, status }: Pick<Reporter, 'forge' | 'warn' | 'status'>,
): Promise<readonly NewStatus[]> {
  const isUncompared = (each: NewStatus) => each.state === 'success' && readMark(each.description) === null;
  if (!status || recipient.kind !== 'branch' || run.event === 'schedule' || !statuses.some(isUncompared))
    return statuses;
  const consequence = `Whether an open pull request has ${run.head.sha.slice(0, 7)} is not known, so what compared nothing sets no success`;
  const open = await withFallback(null, consequence, warn, async () =>
    (await forge.pullRequestsWith(run.head)).filter(({ state }) => state === 'open'),
  );
  if (open?.length === 0) return statuses;
  for (const { context } of open === null ? [] : statuses.filter(isUncompared)) {
    warn(
      `The status ${context} is not set: this run compared nothing, and pull request ${open![0]!.number} has the same commit.`,
    );
  }
  return statuses.filter((each) => !isUncompared(each));
}
