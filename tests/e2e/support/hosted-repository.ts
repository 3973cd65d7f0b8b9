import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ActResult, act } from './act.ts';
import { type HostedForge, hostedForge, type JobToken } from './hosted-forge.ts';

interface JobCall {
  event: string;
  payload: object;
  /** In `.github/workflows`. */
  workflow: string;
  job: string;
  token: JobToken;
  variables?: Record<string, string>;
}

/** A forge of this machine, and one checkout of its repository. */
export interface HostedRepository extends HostedForge {
  checkout: string;
  git(...args: string[]): string;
  /** One job of the run that began last. */
  job(call: JobCall): Promise<ActResult>;
  /** Tells the API of a commit: its parents, and its files. */
  know(sha: string): void;
}

/** `acme/api` with these starters and files, in one commit on `main`. */
export async function hostedRepository(
  starters: readonly string[],
  files: Record<string, string>,
): Promise<HostedRepository> {
  const host = await hostedForge();
  const checkout = mkdtempSync(path.join(tmpdir(), 'wrkbench-repository-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', checkout, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      encoding: 'utf8',
    }).trim();
  for (const name of starters)
    cpSync(path.join('workflows', name), path.join(checkout, '.github/workflows', name), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(checkout, name)), { recursive: true });
    writeFileSync(path.join(checkout, name), text);
  }
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
  return {
    ...host,
    checkout,
    git,
    job: ({ event, payload, workflow, job, token, variables = {} }) =>
      act({
        directory: checkout,
        event,
        payload,
        workflow: `.github/workflows/${workflow}`,
        job,
        token,
        variables: { ...host.variables(), ...variables },
      }),
    know(sha) {
      const [, ...parents] = git('rev-list', '--parents', '-n', '1', sha).split(' ');
      host.forge.commits.set(sha, { parents, message: git('log', '-1', '--format=%B', sha) });
      const paths = git('ls-tree', '-r', '--name-only', sha).split('\n');
      host.forge.files.set(sha, Object.fromEntries(paths.map((name) => [name, git('show', `${sha}:${name}`)])));
    },
    async close() {
      await host.close();
      rmSync(checkout, { recursive: true, force: true });
    },
  };
}
