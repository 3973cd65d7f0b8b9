import { attemptUrl, isOlder, type RunOrder, readAttemptUrl } from '../../core/posting/run-order.ts';
import { type NewStatus, unreportedStatus } from '../../core/posting/status.ts';
import { contextOfEvent } from '../../core/posting/status-context.ts';
import { readMark } from '../../core/posting/status-mark.ts';
import type { ForgeFailure, LinkedStatus, WorkflowRun } from '../ports/forge.ts';
import { specsAt } from './base-specs.ts';
import { withFallback } from './degrade.ts';
import type { ReportAdapters, ReportRequest } from './report-request.ts';

/** The run that a status is of. */
export type StatusRun = Pick<WorkflowRun, 'id' | 'attempt' | 'event' | 'url'> & { head: { sha: string } };

type Setting = Pick<ReportAdapters, 'forge' | 'warn' | 'status'>;

/**
 * Sets statuses of the run's commit, where statuses are wanted, but those that a later run has set, and those that something was
 * compared or measured for where this run passes without: gives their contexts as they came. Those of a scheduled run are set under a
 * name of their own.
 * A report that comes at the same time may read before this one writes, and write before it; whoever is last sees both, and
 * corrects what it finds. What cannot be set is a warning.
 */
export async function setStatuses(
  statuses: readonly NewStatus[],
  run: StatusRun,
  { forge, warn, ...wish }: Setting,
): Promise<Set<string>> {
  const left = new Set<string>();
  if (!wish.status || statuses.length === 0) return left;
  const { sha } = run.head;
  const set = (status: LinkedStatus) =>
    withFallback(undefined, `The status ${status.context} cannot be written`, warn, () => forge.setStatus(sha, status));
  const consequence = `Whether a later run has set a status of ${sha.slice(0, 7)} is not known`;
  const listed = () => withFallback(null, consequence, warn, () => forge.statuses(sha));

  const before = await listed();
  for (const status of statuses) {
    const own = { ...status, context: contextOfEvent(status.context, run.event), url: attemptUrl(run) };
    const by = readAttemptUrl(own.url) ?? { run: run.id, attempt: run.attempt };
    const failed = isOfNothing(status) ? failureIn(own.context, before ?? []) : null;
    const latest = latestOf(own.context, [own, ...(before ?? [])]);
    if (failed === null && (latest === null || latest.status === own)) {
      await set(own);
      continue;
    }
    left.add(status.context);
    const stays = (of: RunOrder, why: string) =>
      warn(`The status ${own.context} stays as run ${of.run} has set it, ${why}.`);
    if (failed !== null) stays(failed, `since that run measured something and run ${by.run} did not`);
    else if (isOlder(by, latest!.by)) stays(latest!.by, `which is later than run ${by.run}`);
    else stays(latest!.by, `since that run compared something and run ${by.run} did not`);
  }
  if (before === null || left.size === statuses.length) return left;
  const after = (await listed()) ?? [];
  for (const { context: given } of statuses) {
    const context = contextOfEvent(given, run.event);
    const latest = latestOf(context, after);
    const shown = after.find((each) => each.context === context);
    if (latest !== null && shown !== latest.status) await set(latest.status);
  }
  return left;
}

/** A success of a branch for which nothing was measured, since both sides were the same. */
function isOfNothing(status: NewStatus): boolean {
  return status.state === 'success' && status.reason === 'same' && readMark(status.description) === null;
}

/** By which run the status is a failure that stands: one that was measured, whatever it was compared with. */
function failureIn(context: string, statuses: readonly LinkedStatus[]): RunOrder | null {
  const shown = statuses.find((each) => each.context === context);
  return shown?.state === 'failure' && shown.url !== null ? readAttemptUrl(shown.url) : null;
}

/**
 * What the latest run said last. A status that names no run is somebody else's. A success that nothing was compared for counts
 * only where nothing was ever compared for the commit.
 */
function latestOf(context: string, statuses: readonly LinkedStatus[]): { status: LinkedStatus; by: RunOrder } | null {
  const known = statuses.flatMap((status) => {
    const by = status.context === context && status.url !== null ? readAttemptUrl(status.url) : null;
    return by === null ? [] : [{ status, by }];
  });
  const isCompared = ({ status: { description } }: (typeof known)[number]) => readMark(description) !== null;
  const counting = known.some(isCompared)
    ? known.filter((each) => each.status.state !== 'success' || isCompared(each))
    : known;
  return counting.reduce<(typeof known)[number] | null>(
    (latest, each) => (latest === null || isOlder(latest.by, each.by) ? each : latest),
    null,
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
  const names = known ?? [...(await specsAt(defaultBranch, specs, forge, warn)).specs.keys()];
  await setStatuses(
    names.map((specName) => unreportedStatus(specName, message)),
    run,
    adapters,
  );
}
