/** Where GitHub's merge queue tries out a pull request; nobody else may write to these branches. */
const QUEUE_BRANCH = /^gh-readonly-queue\/.+\/pr-(\d{1,9})-[0-9a-f]+$/;
/** `Add roles (#12)`, as forges end the first line of a squash. */
const SQUASHED = /\(#(\d{1,9})\)$/;
/** `Merge pull request #12 from mallory/main`; Gitea has the title before the number, which may hold numbers as well. */
const MERGED = /^Merge pull request .*#(\d{1,9})\)? from \S+/;

/**
 * The pull request that a commit was made of, by the names that forges give; null where they name none. Of a commit whose pull request
 * the forge does not tell, as in a merge queue and shortly after it.
 */
export function mergedNumber(message: string, branch: string): number | null {
  const subject = message.split(/\r?\n/, 1)[0]!.trimEnd().slice(0, 1000);
  const found = QUEUE_BRANCH.exec(branch) ?? SQUASHED.exec(subject) ?? MERGED.exec(subject);
  return found === null ? null : Number(found[1]);
}
