/** Most file systems take 255 bytes; the rest is left for a number. */
const LONGEST_NAME = 200;

/**
 * A name that every file system takes and that leads nowhere else: `go/db ping/wrk.txt` → `go-db-ping-wrk.txt`.
 * Names that differ may become the same; whoever writes them tells them apart by a number.
 */
export function safeFileName(name: string): string {
  const plain = name
    .replace(/[^A-Za-z0-9._@%=+-]+/g, '-')
    // A dot or dash in front hides a file, or is taken for an option.
    .replace(/^[.-]+/, '');
  const { stem, ending } = parts(plain === '' ? 'unnamed' : plain);
  return stem.slice(0, LONGEST_NAME - ending.length) + ending;
}

/** `wrk.txt` → `wrk.txt`, `wrk-2.txt`, `wrk-3.txt` */
export function numbered(name: string, number: number): string {
  const { stem, ending } = parts(name);
  return number === 1 ? name : `${stem}-${number}${ending}`;
}

function parts(name: string): { stem: string; ending: string } {
  const ending = /[^.](\.[A-Za-z0-9]{1,10})$/.exec(name)?.[1] ?? '';
  return { stem: name.slice(0, name.length - ending.length), ending };
}
