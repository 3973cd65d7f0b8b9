import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

// A link leads to what whoever made it may not read; to open a pipe that nobody writes to never ends.
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * What `read` makes of a file in a folder that others may write to. Null where it is not there, may not be read, or is anything
 * but a file: a link, a pipe, a device.
 */
export async function readRegularFile<Content>(
  path: string,
  read: (file: FileHandle, facts: Stats) => Promise<Content>,
): Promise<Content | null> {
  try {
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const facts = await file.stat();
      return facts.isFile() ? await read(file, facts) : null;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

/** Its text from the beginning, `mostBytes` of it; null as above. */
export async function beginningOf(path: string, mostBytes: number): Promise<string | null> {
  return await readRegularFile(path, (file, facts) => textOf(file, Math.min(facts.size, mostBytes)));
}

/** The same of a file that this user has made; null where another has. */
export async function beginningOfOwn(path: string, mostBytes: number): Promise<string | null> {
  return await readRegularFile(path, async (file, { size, uid }) =>
    uid === process.getuid?.() ? await textOf(file, Math.min(size, mostBytes)) : null,
  );
}

async function textOf(file: FileHandle, bytes: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0);
  return buffer.toString('utf8', 0, bytesRead);
}
