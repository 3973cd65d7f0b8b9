import { unzipSync } from 'fflate';
import { type ArchiveReader, UnreadableArchive } from '../../app/ports/archive.ts';

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
  let tooLong = false;
  try {
    const files = unzipSync(archive, {
      filter(file) {
        if (file.name !== name) return false;
        tooLong = file.originalSize > most;
        return !tooLong;
      },
    });
    if (!tooLong) return files;
  } catch (error) {
    throw new UnreadableArchive(`it is not a zip archive (${error instanceof Error ? error.message : String(error)})`);
  }
  throw new UnreadableArchive(`${name} in it is longer than ${most} bytes`);
}
