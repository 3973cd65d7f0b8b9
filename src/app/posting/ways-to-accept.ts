import { type Forge, ForgeFailure, type PullRequest } from '../ports/forge.ts';

/** What accepts something on a pull request, and would count. */
export interface WaysToAccept {
  label: boolean;
  /** Of a commit's message: in a fork's it counts for nothing. */
  line: boolean;
}

export async function waysToAccept(
  { number, fromFork }: Pick<PullRequest, 'number' | 'fromFork'>,
  forge: Forge,
): Promise<WaysToAccept> {
  return { label: await countsLabels(number, forge), line: !fromFork };
}

/** Whether the forge tells who set a label and when: else none counts. What it cannot answer now, it may the next time. */
async function countsLabels(pullRequest: number, forge: Forge): Promise<boolean> {
  try {
    await forge.labelsSet(pullRequest);
    return true;
  } catch (error) {
    if (!(error instanceof ForgeFailure)) throw error;
    return error.status === null || error.status >= 500;
  }
}

/**
 * ``label `perf-accepted: /db/*`, or a line `Perf-Accept: /db/*: REASON` in a commit message``; empty where nothing counts. `ofLabel`: null
 * where the label accepts everything.
 */
export function waysText({ label, line }: WaysToAccept, subject: string, ofLabel: string | null = subject): string {
  return [
    ...(label ? [`label \`perf-accepted${ofLabel === null ? '' : `: ${ofLabel}`}\``] : []),
    ...(line ? [`a line \`Perf-Accept: ${subject}: REASON\` in a commit message`] : []),
  ].join(', or ');
}
