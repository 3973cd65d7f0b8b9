/** The head of a pull request as a workflow run saw it: GitHub makes one when the head changes. */
export interface SeenHead {
  /** Of the run; ids rise with time. */
  run: number;
  sha: string;
  /** When the run was made; attempts later on change nothing about it. ISO 8601. */
  at: string;
}

/**
 * Since when a pull request's head is what it is now, `sha`: the first run that saw it after all that saw another one. A
 * commit that was there before, was pushed over and came back counts from when it came back. Null where the last run saw
 * another head, or there is none.
 */
export function headSince(seen: readonly SeenHead[], sha: string): string | null {
  const inTime = [...seen].sort((one, other) => one.run - other.run);
  const other = inTime.findLastIndex((each) => each.sha !== sha);
  return inTime[other + 1]?.at ?? null;
}
