import { type UnzipFileInfo, unzipSync } from 'fflate';
import { type ArchiveReader, UnreadableArchive } from '../../app/ports/archive.ts';

/** More than any artifact of ours has; listing them costs time. */
const MOST_ENTRIES = 10_000;

/**
 * Zips in memory. The buffer of a file is as long as the archive says that it is, up to a limit, and what does not fit is
 * never written: a file of zeros that unpacks to gigabytes costs no more than its limit.
 */
export function zipReader(): ArchiveReader {
  return {
    text(archive, name, most) {
      let times = 0;
      const found = unpacked(archive, (file, refuse) => {
        if (file.name !== name) return false;
        times += 1;
        if (times > 1) refuse(`it has ${name} more than once`);
        if (file.originalSize > most) refuse(`${name} in it is longer than ${most} bytes`);
        return true;
      })[name];
      if (found === undefined) return null;
      const text = decoded(found);
      if (text === null) throw new UnreadableArchive(`${name} in it is not UTF-8 text`);
      return text;
    },
    texts(archive, names, most) {
      const wanted = new Set(names);
      let left = most;
      const found = unpacked(archive, ({ name, originalSize }) => {
        if (originalSize > left || !wanted.delete(name)) return false;
        left -= originalSize;
        return true;
      });
      const texts = Object.entries(found).map(([name, bytes]) => [name, decoded(bytes)] as const);
      return new Map(texts.filter((each): each is [string, string] => each[1] !== null));
    },
  };
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Those that `wanted` lets through: each is unpacked, also where it is there a thousand times. */
function unpacked(
  archive: Uint8Array,
  wanted: (file: UnzipFileInfo, refuse: (why: string) => never) => boolean,
): Record<string, Uint8Array> {
  let entries = 0;
  let refused: string | null = null;
  const refuse = (why: string): never => {
    refused = why;
    throw new Error(why);
  };
  try {
    return unzipSync(archive, {
      filter(file) {
        entries += 1;
        if (entries > MOST_ENTRIES) refuse(`it has more than ${MOST_ENTRIES} entries`);
        return wanted(file, refuse);
      },
    });
  } catch (error) {
    if (refused !== null) throw new UnreadableArchive(refused);
    throw new UnreadableArchive(`it is not a zip archive (${error instanceof Error ? error.message : String(error)})`);
  }
}
