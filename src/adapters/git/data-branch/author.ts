import { git } from '../git.ts';
import type { DataBranchOptions } from './options.ts';

/** The name that GitHub shows for what its own workflows do. */
const WORKFLOW = { name: 'github-actions[bot]', email: '41898282+github-actions[bot]@users.noreply.github.com' };
const NOBODY = { name: 'wrkbench', email: 'wrkbench@localhost' };

/** `Name <address>` for a commit: a workflow's, where there is its token; else of whoever git is set up for here. */
export async function committer(directory: string, { token }: Pick<DataBranchOptions, 'token'>): Promise<string> {
  const { name, email } = token === null ? ((await configured(directory)) ?? NOBODY) : WORKFLOW;
  const plain = (text: string) => text.replaceAll(/[<>\p{Cc}]/gu, '');
  return `${plain(name)} <${plain(email)}>`;
}

async function configured(directory: string): Promise<typeof NOBODY | null> {
  const value = async (key: string) => (await git(directory, ['config', '--get', key])).stdout.trim();
  const [name, email] = [await value('user.name'), await value('user.email')];
  return name === '' || email === '' ? null : { name, email };
}
