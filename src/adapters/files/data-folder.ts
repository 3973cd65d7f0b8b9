import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type BranchText, type DataBranch, DataBranchFailure } from '../../app/ports/data-branch.ts';
import { assertOwn, type BranchChange, type BranchEntry } from '../../core/publication/change.ts';
import { DATA_FOLDER } from '../../core/publication/place.ts';
import { writeTextDocument } from './text-document.ts';

/** What a data branch holds, as a folder of this machine: the checkout of one, or what is served from elsewhere. */
export function dataFolder(folder: string): DataBranch {
  const own = (file: string) => path.join(folder, ...file.split('/'));
  const texts = async function* (paths: readonly string[], mostBytes: number): AsyncIterable<BranchText> {
    for (const file of paths) {
      const { size } = await stat(own(file)).catch(failed(folder, 'read'));
      yield { path: file, text: size > mostBytes ? null : await readFile(own(file), 'utf8') };
    }
  };
  return {
    place: folder,
    entries: () => entriesIn(folder),
    texts,
    async commit(change) {
      const entries = await entriesIn(folder);
      const wanted = await change(entries, texts);
      if (wanted === null) return { sha: null, retries: 0 };
      assertOwn(wanted);
      await applied(wanted, own).catch(failed(folder, 'written'));
      return { sha: folder, retries: 0 };
    },
    async close() {},
  };
}

/** Each file whole, in the order of the change: what a file names is there before it. */
async function applied({ write, move, remove }: BranchChange, own: (file: string) => string): Promise<void> {
  for (const { from, to } of move) {
    await mkdir(path.dirname(own(to)), { recursive: true });
    await rename(own(from), own(to));
  }
  for (const { path: file, content } of write) {
    await mkdir(path.dirname(own(file)), { recursive: true });
    await writeTextDocument(own(file), content);
  }
  for (const file of remove) await rm(own(file), { force: true });
}

/** Links are not followed. A file has no name for its content here: it is taken for another one each time. */
async function entriesIn(folder: string): Promise<BranchEntry[]> {
  const found: BranchEntry[] = [];
  const walk = async (below: string): Promise<void> => {
    const entries = await readdir(path.join(folder, ...below.split('/')), { withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        return failed(folder, 'read')(error);
      },
    );
    for (const entry of entries) {
      if (entry.isDirectory()) await walk(`${below}/${entry.name}`);
      else if (entry.isFile()) found.push({ path: `${below}/${entry.name}`, blob: '' });
    }
  };
  await walk(DATA_FOLDER);
  return found;
}

function failed(folder: string, what: 'read' | 'written'): (error: unknown) => never {
  return (error) => {
    throw new DataBranchFailure(`${folder} cannot be ${what} (${(error as Error).message}).`);
  };
}
