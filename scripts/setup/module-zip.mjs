// Reads the zip files that the Go module proxy serves, and their checksum as the checksum database keeps it.
import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

/**
 * @param {Buffer} zip
 * @returns {Generator<{name: string, content: Buffer}>} the files in the order of the directory.
 */
export function* filesOfZip(zip) {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || zip.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error('not a zip file');
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  for (let i = 0; i < count; i++) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error(`damaged zip directory at byte ${at}`);
    const method = zip.readUInt16LE(at + 10);
    const packedBytes = zip.readUInt32LE(at + 20);
    const nameBytes = zip.readUInt16LE(at + 28);
    const header = zip.readUInt32LE(at + 42);
    const name = zip.toString('utf8', at + 46, at + 46 + nameBytes);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const packed = zip.subarray(start, start + packedBytes);
    if (method !== STORED && method !== DEFLATED) throw new Error(`${name}: unknown compression ${method}`);
    yield { name, content: method === STORED ? packed : inflateRawSync(packed) };
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

/**
 * `h1:` and the base64 SHA-256 of the sorted lines `SHA256-OF-FILE  NAME`.
 * @param {{name: string, content: Buffer}[]} files
 */
export function moduleChecksum(files) {
  const sha256 = (data) => createHash('sha256').update(data);
  const sorted = [...files].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  const lines = sorted.map((file) => `${sha256(file.content).digest('hex')}  ${file.name}\n`);
  return `h1:${sha256(lines.join('')).digest('base64')}`;
}
