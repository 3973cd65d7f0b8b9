/** What git and servers say where a branch cannot be read or written. */
import type { DataBranchOptions } from './options.ts';

/**
 * Somebody was first with the very same commit: equal files on an equal tip, in the same second.
 * https://git-scm.com/docs/git-push#Documentation/git-push.txt-flag
 */
export function isThereAlready(porcelain: string): boolean {
  return /^=\t/m.test(porcelain);
}

/**
 * Somebody was first: git's own words for a lease that no longer holds, and those of servers that found out only while
 * they wrote. https://git-scm.com/docs/git-push#_output
 */
export function isLostRace(output: string): boolean {
  return /\[rejected\]|stale info|fetch first|non-fast-forward|cannot lock ref|failed to update ref|reference already exists|incorrect old value/i.test(
    output,
  );
}

/** `! SHA:refs/heads/gh-pages [remote rejected] (protected branch hook declined)` */
export function reasonOf(porcelain: string): string | null {
  return /^!\t[^\t]*\t(.+)$/m.exec(porcelain)?.[1] ?? null;
}

/** Nobody is there whom git could ask. */
export function plain(said: string): string {
  return isRefused(said) && /askpass|terminal prompts|could not read/i.test(said)
    ? 'the server asks for credentials'
    : said;
}

function isRefused(said: string): boolean {
  return /403|denied|are not allowed|could not read (?:Username|Password)|Authentication failed|terminal prompts disabled|askpass/i.test(
    said,
  );
}

export function hint(said: string, { token }: DataBranchOptions): string {
  if (isRefused(said)) {
    return token === null
      ? ' Let git in as for a push of your own: a credential helper, or a remote with SSH.'
      : ' The job needs `permissions: contents: write`, and a token that may write there.';
  }
  return /protected branch|GH006|GH013/i.test(said) ? ' Let workflows write to this branch, or name another one.' : '';
}
