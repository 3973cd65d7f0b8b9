import { Buffer } from 'node:buffer';

/** A file, or a folder where there is no content; `path` is absolute, and everything is root's. */
export interface TarEntry {
  path: string;
  content: Uint8Array | null;
  mode: number;
}

const BLOCK = 512;

/**
 * An archive as `docker cp` reads it from standard input. Folders that it does not name are made where they are missing, and left
 * alone where they are there, which copying a folder would not do. Throws a `RangeError` for a path that its format cannot hold.
 */
export function tarOf(entries: readonly TarEntry[]): Uint8Array {
  const blocks = entries.flatMap(({ path, content, mode }) => {
    const size = content?.length ?? 0;
    const padding = Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
    return [header(path, size, mode, content === null), ...(content === null ? [] : [content, padding])];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** `ustar`, of POSIX.1-1988: https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html#tag_20_92_13_06 */
function header(path: string, size: number, mode: number, isFolder: boolean): Uint8Array {
  const { prefix, name } = partsOf(path.replace(/^\/+/, '') + (isFolder ? '/' : ''));
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0');
  block.write(name, 0, 'utf8');
  block.write(octal(mode, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(0, 12), 136);
  block.write(' '.repeat(8), 148);
  block.write(isFolder ? '5' : '0', 156);
  block.write('ustar\u000000', 257, 'latin1');
  block.write(prefix, 345, 'utf8');
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7,
    )}\u0000 `,
    148,
    'latin1',
  );
  return block;
}

/** A name has 100 bytes, and 155 more before a slash. */
function partsOf(path: string): { prefix: string; name: string } {
  const bytes = (text: string) => Buffer.byteLength(text);
  if (bytes(path) <= 100) return { prefix: '', name: path };
  for (let slash = path.indexOf('/'); slash >= 0 && slash < path.length - 1; slash = path.indexOf('/', slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)];
    if (bytes(prefix) <= 155 && bytes(name) <= 100) return { prefix, name };
  }
  throw new RangeError(`The path /${path} is too long for a container: at most 255 bytes.`);
}
