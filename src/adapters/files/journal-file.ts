import { constants } from 'node:fs';
import { appendFile, open, readFile, rm, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type JournalEntry, journalLine, readJournal } from '../../core/record/journal.ts';
import { syncFolder } from './whole-file.ts';

/** `journal.jsonl`: whole lines only, each on the disk before the next. Rejects with the errors of the system. */
export interface JournalFile {
  append(entry: JournalEntry): Promise<void>;
  /** Null where there is no such file. Rejects with `UnreadableJournal`. */
  read(): Promise<JournalEntry[] | null>;
  /** Moves what stands behind the last whole line, where something does, to the end of another file. */
  repair(tornPath: string): Promise<void>;
}

const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
const LINE_END = 0x0a;

/** `create`: the first entry makes the file, which must not be there; else none makes it, so that it cannot lose its head. */
export function openJournalFile(path: string, { create }: { create: boolean }): JournalFile {
  let created = !create;
  let last: Promise<void> = Promise.resolve();

  async function appendLine(line: string): Promise<void> {
    const isNew = !created;
    const file = await open(path, O_WRONLY | O_APPEND | (isNew ? O_CREAT | O_EXCL : 0));
    created = true;
    try {
      const { size } = await file.stat();
      try {
        await file.appendFile(line);
        await file.datasync();
      } catch (error) {
        // Half a line would spoil the one after it, and a journal without an entry would keep the next run out.
        await (isNew ? rm(path) : file.truncate(size)).catch(() => undefined);
        created = !isNew;
        throw error;
      }
    } finally {
      await file.close();
    }
    if (isNew) await syncFolder(dirname(path));
  }

  return {
    append(entry) {
      const line = journalLine(entry);
      const appended = last.then(() => appendLine(line));
      last = appended.catch(() => undefined);
      return appended;
    },

    async read() {
      try {
        return readJournal(await readFile(path, 'utf8'), path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },

    async repair(tornPath) {
      const content = await readFile(path);
      const whole = content.lastIndexOf(LINE_END) + 1;
      if (whole === content.byteLength) return;
      await appendFile(tornPath, Buffer.concat([content.subarray(whole), Buffer.from('\n')]), { flush: true });
      await truncate(path, whole);
    },
  };
}
