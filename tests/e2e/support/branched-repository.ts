import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { specFolder } from '../../support/spec-folder.ts';

/** Folder of a repository whose branch `change`, checked out, stands one commit after `main`. */
export function branchedRepository(main: Record<string, string>, change: Record<string, string>): string {
  const folder = specFolder(main);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: folder });
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
  git('checkout', '--quiet', '-b', 'change');
  for (const [name, text] of Object.entries(change)) writeFileSync(path.join(folder, name), text);
  git('add', '.');
  git('commit', '--quiet', '--message', 'Second');
  return folder;
}
