import { missingStatus, passedStatus, statusContext } from '../../core/posting/status.ts';
import { isUntouched, UNTOUCHED } from '../../core/posting/untouched.ts';
import { setStatuses } from './commit-status.ts';
import type { Context } from './context.ts';
import { withFallback } from './degrade.ts';
import { reportPassed } from './notification.ts';
import type { ReportAdapters } from './report-request.ts';

/** Why nothing is to be measured; null where something is. What a pull request changes is asked of the forge. */
export function unmeasured({ recipient, request, changed }: Context): string | null {
  // What is in a queue was measured as a pull request.
  if (recipient.kind === 'merge-group') return 'Measured in the pull request; a merge queue measures nothing again.';
  return recipient.kind === 'pull-request' && isUntouched(changed, request.paths) ? UNTOUCHED : null;
}

/**
 * A green status, and the same in a comment that is there: it may tell of an earlier commit. Rejects with `ForgeFailure`
 * where not all specs are known: nobody sets the statuses of the others.
 */
export async function passed(why: string, context: Context, adapters: ReportAdapters): Promise<void> {
  const { request, recipient, specs, unread } = context;
  const names = [...specs.keys()];
  await setStatuses(
    names.map((specName) => passedStatus(specName, why)),
    request.run,
    adapters,
  );
  await reportPassed(why, names, { recipient, run: request.run }, adapters);
  if (unread !== null) throw unread;
}

/**
 * GitHub calls a run cancelled as well whose job ran out of time, and a required status would be waited for in vain. What
 * an earlier run of the commit has said of it stands, and so does the comment.
 */
export async function cancelled({ request, specs }: Context, adapters: ReportAdapters): Promise<void> {
  const { run } = request;
  const consequence = `What was said of ${run.head.sha.slice(0, 7)} before is not known`;
  const before = await withFallback(null, consequence, adapters.warn, () => adapters.forge.statuses(run.head.sha));
  const said = new Set((before ?? []).map(({ context }) => context));
  const silent = [...specs.keys()].filter((specName) => !said.has(statusContext(specName)));
  await setStatuses(
    silent.map((specName) => missingStatus(specName, 'its run was cancelled, or ran out of time')),
    run,
    adapters,
  );
}
