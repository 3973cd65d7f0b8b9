import { visible } from '../../format/text.ts';
import type { RunRecord } from '../../record/run-record.ts';

/**
 * The commands that measure the same again, from the top of a clone. A reader copies them into a shell: of what strangers
 * wrote, only hashes of commits go in, and the spec's path as one word.
 */
export function reproduceCommands({ source, comparing, seed }: RunRecord): string[] {
  const { sha, specPath = DEFAULT_SPEC } = source;
  const baseline = comparing?.baseline.sha ?? null;
  const against = isHash(baseline) ? ` --baseline commit:${baseline}` : '';
  return [
    ...(isHash(sha) && isOfPullRequest(source) ? [`git fetch origin ${sha}`] : []),
    ...(isHash(sha) ? [`git checkout ${sha}`] : []),
    `wrkbench run ${word(isPlainPath(specPath) ? specPath : DEFAULT_SPEC)} --out again${against} --seed ${seed}`,
  ];
}

const DEFAULT_SPEC = 'wrkbench.yml';

function isHash(sha: string | null): sha is string {
  return sha !== null && /^[0-9a-f]{7,64}$/.test(sha);
}

/** A clone has no commit of it: GitHub made the merge, and a fork has the rest. */
function isOfPullRequest({ pullRequest, ref }: RunRecord['source']): boolean {
  return pullRequest !== null || /^refs\/pull\//.test(ref ?? '');
}

/** A path inside the clone that looks like what it is. */
export function isPlainPath(path: string): boolean {
  const isInside = !path.startsWith('/') && !path.split('/').includes('..');
  return path !== '' && path.length <= 200 && isInside && visible(path) === path;
}

/** As a shell takes it for one word, which is no option. */
function word(path: string): string {
  const named = path.startsWith('-') ? `./${path}` : path;
  return /^[\w./-]+$/.test(named) ? named : `'${named.replaceAll("'", `'\\''`)}'`;
}
