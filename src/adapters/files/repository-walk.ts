import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readRegularFile } from '../project/regular-file.ts';

interface WalkedFile {
  /** Relative to the folder, with `/`. */
  path: string;
  content: string;
}

export interface Walked {
  files: WalkedFile[];
  /** What could have told something and was not read, and why. */
  passedOver: { what: string; why: string }[];
}

export interface WalkRequest {
  isTelling(path: string): boolean;
  isTellingFolder(path: string): boolean;
}

/** Deeper than the controllers of a Java package. */
const DEEPEST = 12;
const MOST_FOLDERS = 5_000;
const MOST_FILES = 3_000;
const MOST_BYTES_EACH = 1024 * 1024;
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Reads the files of a repository that tell something, those near its top first, and no more of them than a few seconds
 * take. Links are not followed: they may lead anywhere. Rejects where the folder itself cannot be read.
 */
export async function walkRepository(folder: string, { isTelling, isTellingFolder }: WalkRequest): Promise<Walked> {
  const walked: Walked = { files: [], passedOver: [] };
  let waiting = [''];
  let folders = 0;
  let bytes = 0;
  for (let depth = 0; waiting.length > 0; depth += 1) {
    const below: string[] = [];
    for (const own of waiting) {
      folders += 1;
      const entries = await readdir(path.join(folder, own), { withFileTypes: true }).catch((error: unknown) => {
        if (own === '') throw error;
        walked.passedOver.push({ what: own, why: 'the folder cannot be read' });
        return [];
      });
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const name = own === '' ? entry.name : `${own}/${entry.name}`;
        if (entry.isSymbolicLink()) {
          if (isTelling(name)) walked.passedOver.push({ what: name, why: 'it is a link, and links are not followed' });
        } else if (entry.isDirectory()) {
          if (isTellingFolder(name)) below.push(name);
        } else if (entry.isFile() && isTelling(name)) {
          if (walked.files.length === MOST_FILES || bytes > MOST_BYTES) return cutShort(walked, name);
          const content = await contentOf(path.join(folder, name));
          if (content === null)
            walked.passedOver.push({ what: name, why: 'it cannot be read, or has more than 1 MiB' });
          else walked.files.push({ path: name, content });
          bytes += content?.length ?? 0;
        }
      }
      if (folders === MOST_FOLDERS) return cutShort(walked, own);
    }
    if (depth === DEEPEST && below.length > 0) return cutShort(walked, below[0]!);
    waiting = below;
  }
  return walked;
}

function cutShort(walked: Walked, from: string): Walked {
  const why = `the repository is larger than init reads: name the folder of the server (wrkbench init FOLDER)`;
  return { ...walked, passedOver: [...walked.passedOver, { what: `everything from ${from} on`, why }] };
}

/** Null where it cannot be read, is too long, or has become a link meanwhile. */
async function contentOf(file: string): Promise<string | null> {
  return await readRegularFile(file, async (handle, { size }) =>
    size > MOST_BYTES_EACH ? null : await handle.readFile('utf8'),
  );
}
