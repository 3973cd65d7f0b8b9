import { access, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { RunStore } from '../../app/ports/run-store.ts';
import { shellWord } from '../../core/format/shell-word.ts';
import { UserError } from '../../core/user-error.ts';
import { openJournalFile } from './journal-file.ts';
import { type FolderState, storeFailure } from './store-failure.ts';
import { syncFolder, temporaryName, writeWhole } from './whole-file.ts';

export interface RunStoreOptions {
  /** Go on with the run that the folder holds; else it must not hold one. */
  resume: boolean;
}

const JOURNAL = 'journal.jsonl';
const RECORD = 'run.json';

/**
 * A run's folder, made where it is not there. Rejects with `UserError` where the folder holds a run already (or, to
 * resume, none), and with `StoreError` where it may not be written. The torn last line of an interrupted run is moved to `journal.torn`.
 */
export async function openRunStore(path: string, { resume }: RunStoreOptions): Promise<RunStore> {
  const directory = resolve(path);
  const folder: FolderState = { directory, kept: resume };
  const failure = (error: unknown, name: string) => storeFailure(error, name, folder);

  if (resume) await refuseWithoutRun(directory);
  else await refuseOtherRuns(directory, failure);
  const journal = openJournalFile(join(directory, JOURNAL), { create: !resume });
  if (resume)
    await journal.repair(join(directory, 'journal.torn')).catch((error) => Promise.reject(failure(error, JOURNAL)));

  let rawFolder: Promise<void> | null = null;
  return {
    directory,
    journal: {
      async append(entry) {
        await journal.append(entry).catch((error) => Promise.reject(failure(error, JOURNAL)));
        folder.kept = true;
      },
      async read() {
        return journal.read().catch((error) => Promise.reject(failure(error, JOURNAL)));
      },
    },

    async writeRaw(name, content) {
      const wanted = safeFileName(name);
      try {
        rawFolder ??= makeFolder(join(directory, 'raw'));
        await rawFolder;
        return `raw/${await writeUnderFreeName(join(directory, 'raw'), wanted, content)}`;
      } catch (error) {
        rawFolder = null;
        throw failure(error, `raw/${wanted}`);
      }
    },

    async write(name, content) {
      if (name !== safeFileName(name)) throw new RangeError(`${JSON.stringify(name)} is not a plain file name`);
      const temporary = join(directory, temporaryName(name));
      try {
        await writeWhole(temporary, content, { flush: true });
        await rename(temporary, join(directory, name));
        await syncFolder(directory);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw failure(error, name);
      }
    },
  };
}

async function refuseOtherRuns(directory: string, failure: (error: unknown, name: string) => Error): Promise<void> {
  try {
    await makeFolders(directory);
  } catch (error) {
    throw failure(error, '');
  }
  for (const name of [JOURNAL, RECORD]) {
    if (await isThere(join(directory, name))) {
      throw new UserError(
        `${directory} holds a run already (${name}), which is not written over. Name another folder with --out` +
          (name === JOURNAL ? `, or resume that run: wrkbench run --resume ${shellWord(directory)}` : '.'),
      );
    }
  }
}

async function refuseWithoutRun(directory: string): Promise<void> {
  if (await isThere(join(directory, JOURNAL))) return;
  const what = (await isThere(directory)) ? `${directory} holds no ${JOURNAL}` : `There is no folder ${directory}`;
  throw new UserError(
    `${what}, so there is no run to resume. Start one with: wrkbench run --out ${shellWord(directory)}`,
  );
}

/** Resolves to the name that was free: the wanted one, or that with a number. */
async function writeUnderFreeName(directory: string, wanted: string, content: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = numbered(wanted, number);
    try {
      await writeWhole(join(directory, name), content, { flush: false });
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** With its parents. Node.js's own way of it takes a read-only disk for a missing folder. */
async function makeFolders(path: string): Promise<void> {
  try {
    await makeFolder(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolders(dirname(path));
    await makeFolder(path);
  }
}

/** Not with its parents: a run's folder that was removed stays so. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  });
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Most file systems take 255 bytes; the rest is left for a number. */
const LONGEST_NAME = 200;

/**
 * A name that every file system takes and that leads nowhere else: `go/db ping/wrk.txt` → `go-db-ping-wrk.txt`.
 * Names that differ may become the same; whoever writes them tells them apart by a number.
 */
function safeFileName(name: string): string {
  const plain = name
    .replace(/[^A-Za-z0-9._@%=+-]+/g, '-')
    // A dot or dash in front hides a file, or is taken for an option.
    .replace(/^[.-]+/, '');
  const { stem, ending } = parts(plain === '' ? 'unnamed' : plain);
  return stem.slice(0, LONGEST_NAME - ending.length) + ending;
}

/** `wrk.txt` → `wrk.txt`, `wrk-2.txt`, `wrk-3.txt` */
function numbered(name: string, number: number): string {
  const { stem, ending } = parts(name);
  return number === 1 ? name : `${stem}-${number}${ending}`;
}

function parts(name: string): { stem: string; ending: string } {
  const ending = /[^.](\.[A-Za-z0-9]{1,10})$/.exec(name)?.[1] ?? '';
  return { stem: name.slice(0, name.length - ending.length), ending };
}
