import { describe, expect, it } from 'vitest';
import { wrkRequestFile } from '../../../src/core/generators/wrk/request-file.ts';

const part = (path: string, more: object = {}) => ({
  ...{ url: `http://172.18.0.3:8080${path}`, method: 'GET', headers: [] as [string, string][], body: null },
  ...more,
});

/** As `templates/wrk-requests.lua` reads it. */
function read(file: Uint8Array): { requests: string[]; order: number[] } {
  const view = new DataView(file.buffer);
  const number = (place: number) => view.getUint32(place * 4, true);
  const [count, places] = [number(0), number(1)];
  const bytes = file.subarray((2 + count + 1 + places) * 4);
  return {
    requests: Array.from({ length: count }, (_, index) =>
      Buffer.from(bytes.subarray(number(2 + index), number(3 + index))).toString('latin1'),
    ),
    order: Array.from({ length: places }, (_, place) => number(2 + count + 1 + place)),
  };
}

describe('the file of requests for wrk', () => {
  it('holds each as it goes over the wire, and the order', () => {
    const file = wrkRequestFile(
      [
        part('/a?b=c', { headers: [['accept', 'text/html']] }),
        part('/', { method: 'POST', body: 'é', headers: [['Host', 'shop.example']] }),
        part('/bin', { method: 'PUT', body: new Uint8Array([0, 255, 10]) }),
      ],
      Uint32Array.of(2, 0, 0, 1),
    );
    expect(read(file)).toEqual({
      requests: [
        'GET /a?b=c HTTP/1.1\r\nHost: 172.18.0.3:8080\r\naccept: text/html\r\n\r\n',
        'POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 2\r\n\r\n\xc3\xa9',
        'PUT /bin HTTP/1.1\r\nHost: 172.18.0.3:8080\r\nContent-Length: 3\r\n\r\n\x00\xff\n',
      ],
      order: [2, 0, 0, 1],
    });
  });
});
