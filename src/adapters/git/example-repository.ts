import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from './git.ts';

/** One commit of an example. */
export interface Version {
  subject: string;
  /** Names in the folder, and their text: those that this commit adds or changes. */
  files: Record<string, string>;
}

/** Whoever runs an example need not have told git a name, a key or a template. */
const OWN_SETTINGS = [
  ...['user.name=wrkbench demo', 'user.email=demo@wrkbench.invalid', 'commit.gpgsign=false'],
  ...['init.defaultBranch=main', 'core.autocrlf=false', 'core.excludesFile=/dev/null'],
];

/** A repository of its own in a new folder, one commit after the other; null, or why git cannot make it. */
export async function writeExampleRepository(
  folder: string,
  versions: readonly Version[],
  signal: AbortSignal,
): Promise<string | null> {
  const failureOf = async (...args: string[]) => {
    const { failure, said } = await git(folder, args, { config: OWN_SETTINGS, signal });
    return failure === null ? null : said;
  };
  await mkdir(folder, { recursive: true });
  let failure = await failureOf('init', '--quiet', '--template=');
  for (const { subject, files } of versions) {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    failure ??= await failureOf('add', '--all');
    failure ??= await failureOf('commit', '--quiet', '--message', subject);
  }
  return failure;
}
