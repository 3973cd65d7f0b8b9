import type { MultipartPart, WrittenContent } from './content.ts';

/**
 * A form with files: https://www.rfc-editor.org/rfc/rfc7578. What stands between the parts is made from their content, so that both sides of a
 * comparison are sent the same, byte for byte. `files`: content by path.
 */
export function multipartContent(
  parts: readonly MultipartPart[],
  files: ReadonlyMap<string, Uint8Array>,
): WrittenContent & { body: Uint8Array } {
  const encoder = new TextEncoder();
  const written = parts.map((part) => ({
    head: encoder.encode(headOf(part)),
    content: 'file' in part ? files.get(part.file)! : encoder.encode(part.text),
  }));
  const boundary = boundaryOf(written);
  const pieces = written.flatMap(({ head, content }) => [encoder.encode(`--${boundary}\r\n`), head, content, LINE_END]);
  return {
    body: joined([...pieces, encoder.encode(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

const LINE_END = new Uint8Array([0x0d, 0x0a]);

function headOf(part: MultipartPart): string {
  const name = `Content-Disposition: form-data; name="${escaped(part.name)}"`;
  if ('text' in part) return `${name}\r\n\r\n`;
  return `${name}; filename="${escaped(part.fileName)}"\r\nContent-Type: ${part.type}\r\n\r\n`;
}

/** As browsers do: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
function escaped(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

interface WrittenPart {
  head: Uint8Array;
  content: Uint8Array;
}

/** Of all parts, and in none of them. */
function boundaryOf(parts: readonly WrittenPart[]): string {
  for (let hash = hashOf(parts); ; hash = (hash + 1) >>> 0) {
    const boundary = `wrkbench-${hash.toString(16).padStart(8, '0')}`;
    const sought = new TextEncoder().encode(boundary);
    if (!parts.some(({ content }) => holds(content, sought))) return boundary;
  }
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(parts: readonly WrittenPart[]): number {
  let hash = 0x811c9dc5;
  for (const { head, content } of parts) {
    for (const bytes of [head, content]) for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}

function holds(bytes: Uint8Array, sought: Uint8Array): boolean {
  for (let at = bytes.indexOf(sought[0]!); at >= 0; at = bytes.indexOf(sought[0]!, at + 1)) {
    if (sought.every((byte, place) => bytes[at + place] === byte)) return true;
  }
  return false;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}
