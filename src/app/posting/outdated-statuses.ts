import { takenBackStatus } from '../../core/posting/status.ts';
import { isOfSchedule, statusContext } from '../../core/posting/status-context.ts';
import { isOfBase, markedBase } from '../../core/posting/status-mark.ts';
import type { LinkedStatus, PullRequest, WorkflowRun } from '../ports/forge.ts';
import { type StatusRun, setStatuses } from './commit-status.ts';
import { withFallback } from './degrade.ts';
import type { Reporter } from './reporter.ts';

const OURS = statusContext('');

/**
 * Takes back each success of the head that was judged for another base than its pull request has by now: one into a branch without a
 * spec passes, and would pass everywhere once it is retargeted. `unbound`: those that were judged for no base as well; `isMeasuring`:
 * before the run measures. Gives what stands of ours; null where the forge does not tell.
 */
export async function takeBackOutdated(
  { base: { branch } }: Pick<PullRequest, 'base'>,
  run: StatusRun,
  adapters: Pick<Reporter, 'forge' | 'warn' | 'status'>,
  { unbound = false, isMeasuring = false } = {},
): Promise<readonly LinkedStatus[] | null> {
  const { forge, warn } = adapters;
  const { sha } = run.head;
  const consequence = `Whether a status of ${sha.slice(0, 7)} was judged for another base is not known`;
  const all = await withFallback(null, consequence, warn, () => forge.statuses(sha));
  if (all === null) return null;
  const shown = [...new Map(all.toReversed().map((each) => [each.context, each])).values()].filter(
    ({ context }) => context.startsWith(OURS) && !isOfSchedule(context),
  );
  const outdated = shown.filter(
    ({ state, description }) =>
      state === 'success' && !isOfBase(description, branch) && (unbound || markedBase(description) !== null),
  );
  const statuses = outdated.map(({ context, description }) =>
    takenBackStatus(context, markedBase(description), branch, isMeasuring),
  );
  await setStatuses(statuses, run, adapters);
  return shown;
}

/** Whether another run of the same workflow measures that head, or has measured it: a run that was skipped says nothing of it then. */
export async function isMeasuredElsewhere(
  { id, path, head }: WorkflowRun,
  { forge, warn }: Pick<Reporter, 'forge' | 'warn'>,
): Promise<boolean> {
  const consequence = `Which other runs measure ${head.sha.slice(0, 7)} is not known, and nothing is said of this one`;
  const runs = await withFallback(null, consequence, warn, () => forge.runsOf(head.sha));
  // An error of this later run would stand over what another one finds.
  if (runs === null) return true;
  return runs.some(
    (each) =>
      each.id !== id &&
      each.path === path &&
      each.event.startsWith('pull_request') &&
      [null, 'success', 'failure', 'neutral'].includes(each.conclusion),
  );
}
