import type { RequestParts } from '../request.ts';

/** As numbers of 32 bits: how many requests, how many places. */
const HEAD = 2;
const NUMBER_BYTES = 4;

/**
 * Requests as they go over the wire, for `templates/wrk-requests.lua`, which says how the file is laid out. Written here and not by wrk's own
 * `wrk.format`, of which 100,000 calls would take each thread half a second after the load of the first has begun.
 */
export function wrkRequestFile(requests: readonly RequestParts[], order: Uint32Array): Uint8Array {
  const encoder = new TextEncoder();
  const written = requests.map((request) => {
    const body = typeof request.body === 'string' ? encoder.encode(request.body) : request.body;
    return { head: encoder.encode(headOf(request, body)), body };
  });
  const lengths = written.map(({ head, body }) => head.byteLength + (body?.byteLength ?? 0));
  const numbers = HEAD + requests.length + 1 + order.length;
  const file = new Uint8Array(numbers * NUMBER_BYTES + lengths.reduce((sum, length) => sum + length, 0));
  const view = new DataView(file.buffer);
  let place = 0;
  const put = (number: number) => {
    view.setUint32(place * NUMBER_BYTES, number, true);
    place += 1;
  };
  put(requests.length);
  put(order.length);
  let begins = 0;
  for (const length of lengths) {
    put(begins);
    begins += length;
  }
  put(begins);
  for (const index of order) put(index);
  let at = numbers * NUMBER_BYTES;
  for (const { head, body } of written) {
    file.set(head, at);
    at += head.byteLength;
    if (body === null) continue;
    file.set(body, at);
    at += body.byteLength;
  }
  return file;
}

/** As wrk writes it: a body has its length, and no body has none. */
function headOf({ url, method, headers }: RequestParts, body: Uint8Array | null): string {
  const { host } = new URL(url);
  const target = url.slice(url.indexOf('/', url.indexOf('://') + 3));
  const named = headers.some(([name]) => name === 'Host') ? headers : [['Host', host], ...headers];
  const length = body === null ? [] : [`Content-Length: ${body.byteLength}`];
  const lines = [`${method} ${target} HTTP/1.1`, ...named.map(([name, value]) => `${name}: ${value}`), ...length];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
