import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { FoundKind } from '../../core/config/named-files.ts';
import { readRegularFile } from './regular-file.ts';

/** A file's content; or why it is not read, in words that follow its name; null where nothing is there. */
export type ProjectRead = { content: Buffer } | { problem: string | null };

/**
 * The one way to what a spec names and to what a project keeps for us: the author of a pull request chooses where a link leads, and
 * what is read may stand in a report that everybody sees. So it has to be a regular file inside the checkout (where there is none,
 * inside `folder`) with at most `mostBytes`; to open a pipe or to read a device never ends. `name` is relative to `folder`.
 */
export async function readProjectFile(folder: string, name: string, mostBytes: number): Promise<ProjectRead> {
  const path = resolve(folder, name);
  try {
    const top = await projectTop(folder);
    const target = await realpath(path);
    if (!isInside(target, top)) return { problem: problemOf('outside', top) };
    const facts = await stat(target);
    if (facts.isDirectory()) return { problem: problemOf('folder', top) };
    if (!facts.isFile()) return { problem: problemOf('special', top) };
    const content = await readRegularFile(target, async (file, { size }) =>
      size > mostBytes ? 'too-long' : await file.readFile(),
    );
    if (content === 'too-long') return { problem: `has ${facts.size} bytes, where at most ${mostBytes} are read` };
    return content === null ? { problem: 'cannot be read by this user' } : { content };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { problem: code === 'ENOENT' || code === 'ENOTDIR' ? null : `cannot be read (${code})` };
  }
}

/** What lies there; null where nothing does, or it cannot be looked at. */
export async function projectKind(folder: string, name: string): Promise<FoundKind | null> {
  try {
    const target = await realpath(resolve(folder, name));
    if (!isInside(target, await projectTop(folder))) return 'outside';
    const facts = await stat(target);
    return facts.isDirectory() ? 'folder' : facts.isFile() ? 'file' : 'special';
  } catch {
    return null;
  }
}

/** Why a folder or file of the project may not be handed to another program; null where it may, or is not there. */
export async function projectProblem(folder: string, name: string, wanted: 'file' | 'folder'): Promise<string | null> {
  const kind = await projectKind(folder, name);
  return kind === null || kind === wanted ? null : problemOf(kind, await projectTop(folder));
}

function problemOf(kind: FoundKind, top: string): string {
  if (kind === 'outside') return `is a link that leads out of ${top}, and is not followed`;
  if (kind === 'special') return 'is a pipe, a device or a socket, not a file';
  return kind === 'folder' ? 'is a folder, not a file' : 'is a file, not a folder';
}

/**
 * The folder that a file of a call belongs to, for what is above: the checkout that the call is made in, where the file is named
 * inside of it; else the file's own.
 */
export async function projectFolderOf(file: string): Promise<string> {
  const path = resolve(file);
  const top = await projectTop(process.cwd());
  return isInside(path, top) ? top : dirname(path);
}

/** The checkout that a folder lies in, else the folder itself; absolute, without links. */
async function projectTop(folder: string): Promise<string> {
  const own = await realpath(folder);
  for (let top = own; ; top = dirname(top)) {
    const isCheckout = await lstat(join(top, '.git')).then(
      () => true,
      () => false,
    );
    if (isCheckout) return top;
    if (top === dirname(top)) return own;
  }
}

const isInside = (path: string, top: string) =>
  path === top || path.startsWith(top.endsWith(sep) ? top : `${top}${sep}`);
