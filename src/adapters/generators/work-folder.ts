import { open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GeneratorNotStarted } from '../../app/ports/generators.ts';
import { makeTemporaryFolder } from '../process/temporary-folder.ts';

/** Few generators leave more than this on purpose; a script of the user's may log without end. */
const MOST_BYTES = 4 << 20;

/** A folder of one execution's own, readable by nobody else. */
export interface WorkFolder {
  path: string;
  write(files: Record<string, string>): Promise<void>;
  /** Those of the names that are there, each from its beginning, 4 MiB at most unless told otherwise. */
  read(names: string[], mostBytes?: number): Promise<Record<string, string>>;
  remove(): Promise<void>;
}

/** It and its `write` reject with `GeneratorNotStarted`. */
export async function makeWorkFolder(parent = tmpdir()): Promise<WorkFolder> {
  const path = await makeTemporaryFolder('load', parent).catch((error) => refuse(parent, error));
  return {
    path,
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        await writeFile(join(path, name), content, { mode: 0o600 }).catch((error) => refuse(path, error));
      }
    },
    async read(names, mostBytes = MOST_BYTES) {
      const found: Record<string, string> = {};
      for (const name of names) {
        const content = await beginning(join(path, name), mostBytes);
        if (content !== null) found[name] = content;
      }
      return found;
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

function refuse(path: string, { code }: NodeJS.ErrnoException): never {
  throw new GeneratorNotStarted(
    `The generator's files cannot be written to ${path} (${code}). Make room there, or name another folder in TMPDIR.`,
  );
}

async function beginning(path: string, mostBytes: number): Promise<string | null> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, mostBytes)), 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
