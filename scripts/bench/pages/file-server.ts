import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { SiteContent } from './page-files.ts';

export interface FileServer {
  /** `http://127.0.0.1:PORT` */
  origin: string;
  /** Of all bodies since it was last asked; headers are not in it. */
  taken(): Sent;
  close(): Promise<void>;
}

export interface Sent {
  requests: number;
  bytes: number;
  /** What the same bodies take with gzip, at its usual level. */
  zipped: number;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
};

/** Plain files, uncompressed, nothing of which may be kept. */
export async function fileServer(files: SiteContent): Promise<FileServer> {
  let sent: Buffer[] = [];
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://here').pathname.slice(1);
    const path = asked === '' || asked.endsWith('/') ? `${asked}index.html` : asked;
    const content = files.get(path);
    if (content === undefined) {
      response.writeHead(404).end();
      return;
    }
    const body = Buffer.from(content);
    sent.push(body);
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken() {
      const bodies = sent;
      sent = [];
      return {
        requests: bodies.length,
        bytes: bodies.reduce((sum, body) => sum + body.byteLength, 0),
        zipped: bodies.reduce((sum, body) => sum + gzipSync(body).byteLength, 0),
      };
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
