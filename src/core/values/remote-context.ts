/**
 * A repository at a commit as the folder that is built, as Docker takes it: `https://host/owner/repo.git#COMMIT`, or
 * `…#COMMIT:folder`. A commit in full, so that it is the same tomorrow; no user and no password.
 * https://docs.docker.com/build/concepts/context/#git-repositories
 */
export const REMOTE_CONTEXT =
  /^https?:\/\/[a-zA-Z0-9.:[\]-]+\/[^\s#@?\p{Cc}]{1,512}\.git#[0-9a-f]{40}(?::(?![-/])(?!(?:.*\/)?\.\.(?:\/|$))[^\s#\\\p{Cc}]{1,512})?$/u;

export function isRemoteContext(context: string): boolean {
  return REMOTE_CONTEXT.test(context);
}
