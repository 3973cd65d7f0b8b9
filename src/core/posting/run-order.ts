/** A run of a workflow, as far as it is told from another one of the same repository. */
export interface RunOrder {
  run: number;
  attempt: number;
}

/** Ids of workflow runs, and their numbers in a repository, rise with time. https://docs.github.com/actions/reference/contexts-reference#github-context */
export function isOlder(one: RunOrder, other: RunOrder): boolean {
  return one.run !== other.run ? one.run < other.run : one.attempt < other.attempt;
}

/** Address of the attempt; that of a first one is the run's own, and one that names its attempt stays. */
export function attemptUrl({ url, attempt }: { url: string; attempt: number }): string {
  return attempt === 1 || readAttemptUrl(url)?.attempt === attempt ? url : `${url}/attempts/${attempt}`;
}

/** The same where an attempt has no page of its own: it is still told from the others. */
export function attemptOnPage(url: string, attempt: number): string {
  return attempt === 1 ? url : `${url}?attempt=${attempt}`;
}

/** Null for an address of something else. */
export function readAttemptUrl(url: string): RunOrder | null {
  const [, run, attempt = '1'] = /\/runs\/(\d{1,15})(?:(?:\/attempts\/|\?attempt=)(\d{1,6}))?$/.exec(url) ?? [];
  return run === undefined ? null : { run: Number(run), attempt: Number(attempt) };
}
