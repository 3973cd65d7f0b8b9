import { unzipSync } from 'fflate';
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
      const found = unpacked(archive, name, most)[name];
      if (found === undefined) return null;
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(found);
      } catch {
        throw new UnreadableArchive(`${name} in it is not UTF-8 text`);
      }
    },
  };
}

function unpacked(archive: Uint8Array, name: string, most: number): Record<string, Uint8Array> {
  let entries = 0;
  let refused: string | null = null;
  let times = 0;
  const refuse = (why: string) => {
    refused = why;
    throw new Error(why);
  };
  try {
    return unzipSync(archive, {
      // Each that is let through is unpacked, also where it is there a thousand times.
      filter(file) {
        entries += 1;
        if (entries > MOST_ENTRIES) refuse(`it has more than ${MOST_ENTRIES} entries`);
        if (file.name !== name) return false;
        times += 1;
        if (times > 1) refuse(`it has ${name} more than once`);
        if (file.originalSize > most) refuse(`${name} in it is longer than ${most} bytes`);
        return true;
      },
    });
  } catch (error) {
    if (refused !== null) throw new UnreadableArchive(refused);
    throw new UnreadableArchive(`it is not a zip archive (${error instanceof Error ? error.message : String(error)})`);
  }
}
