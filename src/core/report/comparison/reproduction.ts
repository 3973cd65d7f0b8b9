import { shellWord } from '../../format/shell-word.ts';
import { visible } from '../../format/text.ts';
import type { RunRecord } from '../../record/run-record.ts';

/**
 * The commands that measure the same again, from the top of a clone. A reader copies them into a shell: of what strangers
 * wrote, only hashes of commits go in, and the spec's path and the glob of cases as one word each.
 */
export function reproduceCommands({ source, comparing, seed, selection, environment }: RunRecord): string[] {
  const { sha, specPath = DEFAULT_SPEC } = source;
  const baseline = comparing?.baseline.sha ?? null;
  // Where there was no engine nobody asked for it, and the next machine may have one.
  const runtime = environment.runtime === 'process' ? ' --runtime process' : '';
  const part = partOf(selection);
  const against = isHash(baseline) ? ` --baseline commit:${baseline}` : '';
  return [
    ...(isHash(sha) && isOfPullRequest(source) ? [`git fetch origin ${sha}`] : []),
    ...(isHash(sha) ? [`git checkout ${sha}`] : []),
    `wrkbench run ${word(isPlainPath(specPath) ? specPath : DEFAULT_SPEC)} --out again${runtime}${part}${against} --seed ${seed}`,
  ];
}

/** ` --quick --only='go/*'`; a glob that is not what it looks like is left out. */
function partOf(selection: RunRecord['selection']): string {
  const only = selection?.only ?? null;
  const isPlain = only !== null && only !== '' && only.length <= 200 && visible(only) === only;
  const glob = isPlain ? ` --only=${shellWord(only)}` : '';
  return `${selection?.quick ? ' --quick' : ''}${glob}`;
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
  return shellWord(path.startsWith('-') ? `./${path}` : path);
}
