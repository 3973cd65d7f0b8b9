import { rm } from 'node:fs/promises';
import { execa } from 'execa';
import type { PageFiles } from '../../app/ports/page-files.ts';
import { ended } from '../../core/format/sentence.ts';
import { UserError } from '../../core/user-error.ts';
import { makeTemporaryFolder } from '../process/temporary-folder.ts';
import { git, invocation, withoutCredentials } from './git.ts';

const FETCH_SECONDS = 300;
/** A run's record is the longest of them. */
const MOST_BYTES = 128 * 1024 * 1024;

export type PageBranch = PageFiles & { close(): Promise<void> };

/**
 * The data branch as a clone has it, its own before that of its `origin`. Neither checkout nor index is touched: each file is read
 * from git's own store. Throws `UserError` where the clone knows no such branch.
 */
export async function pageBranchOf(directory: string, branch: string): Promise<PageBranch> {
  for (const ref of [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`]) {
    const { failure, stdout } = await git(directory, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
    if (failure !== null) continue;
    const read = reader(directory, stdout.trim());
    return { place: `${branch} of ${directory}`, read, close: async () => undefined };
  }
  throw new UserError(
    `The repository at ${directory} knows no branch ${branch}. Fetch it (git fetch origin ${branch}:refs/remotes/origin/${branch}), or say where it is: --remote URL.`,
  );
}

/** The newest state of a data branch elsewhere, kept in a folder of its own until `close`. Throws `UserError`. */
export async function fetchedPageBranch(remote: string, branch: string, signal: AbortSignal): Promise<PageBranch> {
  const place = `${branch} of ${withoutCredentials(remote)}`;
  const directory = await makeTemporaryFolder('pages');
  const close = () => rm(directory, { recursive: true, force: true });
  const done = async (args: string[]): Promise<string> => {
    const { failure, stdout, said } = await git(directory, args, { timeoutSeconds: FETCH_SECONDS, signal });
    if (failure !== null) throw new UserError(ended(`${place} cannot be read: ${said}`));
    return stdout.trim();
  };
  try {
    await done(['init', '--quiet', '--bare', '--template=', '.']);
    await done([
      'fetch',
      '--quiet',
      '--depth=1',
      '--no-tags',
      '--end-of-options',
      remote,
      `+refs/heads/${branch}:refs/wrkbench/tip`,
    ]);
    return { place, read: reader(directory, await done(['rev-parse', '--verify', 'refs/wrkbench/tip'])), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function reader(directory: string, commit: string): PageFiles['read'] {
  return async (path) => {
    // A link's content is a path, which is no page.
    const listed = await git(directory, ['ls-tree', '-z', '--full-tree', commit, '--', path]);
    const [, blob, found] = /^100(?:644|755) blob ([0-9a-f]+)\t([^\0]*)\0$/.exec(listed.stdout) ?? [];
    if (blob === undefined || found !== path) return null;
    const { args, env } = await invocation(directory, ['cat-file', 'blob', blob]);
    const read = await execa('git', args, {
      env,
      extendEnv: false,
      encoding: 'buffer',
      stripFinalNewline: false,
      reject: false,
      maxBuffer: MOST_BYTES,
      stdin: 'ignore',
    });
    return read.failed ? null : read.stdout;
  };
}
