/** `wrkbench/api`: what a branch rule requires. */
export const statusContext = (specName: string) => `wrkbench/${specName}`;

/** The name of no spec has a space or a bracket in it. */
const OF_SCHEDULE = ' (schedule)';

/**
 * `wrkbench/api (schedule)` of a scheduled run. It measures a commit that was pushed, and may be the head of a pull request: what it
 * finds stands beside what was found for those, and neither is written over.
 */
export function contextOfEvent(context: string, event: string): string {
  return event === 'schedule' ? `${context}${OF_SCHEDULE}` : context;
}

export const isOfSchedule = (context: string) => context.endsWith(OF_SCHEDULE);
