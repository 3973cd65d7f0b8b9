import { readFile } from 'node:fs/promises';
import type { RunRecord } from '../../core/record/run-record.ts';
import { git } from '../git/git.ts';

type Source = RunRecord['source'];
type Variables = Record<string, string | undefined>;

/**
 * Which commit a folder stands at: what git says of the folder, and what a workflow says where git knows nothing.
 * `environment` is that of this process, as a rule; `specName` is the name of a file in the folder. Never rejects; what
 * nobody knows is null.
 */
export async function readSource(directory: string, environment: Variables, specName?: string): Promise<Source> {
  const workflow = environment.GITHUB_ACTIONS === 'true' ? environment : {};
  const [sha, branch, remote, folder] = await Promise.all([
    lineOf(directory, ['rev-parse', '--verify', 'HEAD']),
    lineOf(directory, ['symbolic-ref', '--quiet', 'HEAD']),
    lineOf(directory, ['config', '--get', 'remote.origin.url']),
    folderInside(directory),
  ]);
  const server = workflow.GITHUB_SERVER_URL ?? 'https://github.com';
  const named = workflow.GITHUB_REPOSITORY ? `${server}/${workflow.GITHUB_REPOSITORY}` : null;
  const known = workflow.GITHUB_SHA || null;
  // A checkout of another commit than the one that the event is about (a baseline, say) is not that event's ref.
  const ofEvent = sha === null || sha === known;
  return {
    repository: named ?? (remote === null ? null : repositoryUrl(remote)),
    sha: sha ?? known,
    ref: (ofEvent ? workflow.GITHUB_REF || null : null) ?? branch,
    pullRequest: ofEvent ? await pullRequestOf(workflow) : null,
    ...(specName === undefined || folder === null ? {} : { specPath: `${folder}${specName}` }),
  };
}

/** `bench/`, from the top of the repository; '' at its top, null outside of any. */
async function folderInside(directory: string): Promise<string | null> {
  // An answer that is empty would be none: the second line tells the two apart.
  const said = await lineOf(directory, ['rev-parse', '--show-prefix', '--is-inside-work-tree']);
  const found = /^(?:(.*)\n)?true$/s.exec(said ?? '');
  return found === null ? null : (found[1] ?? '');
}

/**
 * A remote as a web address without user, password, token, query or `.git`: `https://github.com/acme/api`.
 * Null for a path of this machine, which says nothing to anybody else.
 */
export function repositoryUrl(remote: string): string | null {
  const short = /^(?:[^@/:]+@)?([^/:]+):(?!\/\/)(.+)$/.exec(remote);
  const text = short === null ? remote : `https://${short[1]}/${short[2]}`;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  if (!/^(https?|ssh|git):$/.test(url.protocol) || url.hostname === '') return null;
  const web = url.protocol === 'http:' || url.protocol === 'https:';
  const host = web ? url.host : url.hostname;
  const path = url.pathname
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/^\/+/, '');
  return `${url.protocol === 'http:' ? 'http' : 'https'}://${host}/${path}`;
}

/** `refs/pull/12/merge`; for other events of a pull request the event's own number. */
async function pullRequestOf({ GITHUB_REF, GITHUB_EVENT_PATH }: Variables): Promise<number | null> {
  const match = /^refs\/pull\/(\d+)\//.exec(GITHUB_REF ?? '');
  if (match !== null) return Number(match[1]);
  if (!GITHUB_EVENT_PATH) return null;
  try {
    const event = JSON.parse(await readFile(GITHUB_EVENT_PATH, 'utf8'));
    const number: unknown = event?.pull_request?.number;
    return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
  } catch {
    return null;
  }
}

/** One line of git's answer; null where it has none. */
async function lineOf(directory: string, args: string[]): Promise<string | null> {
  const { failure, stdout } = await git(directory, args, { timeoutSeconds: 5 });
  return failure === null && stdout.trim() !== '' ? stdout.trim() : null;
}
