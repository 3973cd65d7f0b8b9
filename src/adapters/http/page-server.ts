import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import type { PageFiles } from '../../app/ports/page-files.ts';
import { PAGES_POLICY } from '../../core/pages/policy.ts';
import { UserError } from '../../core/user-error.ts';

/** This machine alone. */
const ADDRESS = '127.0.0.1';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.txt': 'text/plain; charset=utf-8',
};

export interface PageServer {
  url: string;
  close(): Promise<void>;
}

/** Serves pages to browsers of this machine; `port` 0 is any free one. Throws `UserError` where the port is taken. */
export async function servePages(files: PageFiles, port: number): Promise<PageServer> {
  const server = createServer((request, response) => {
    answer(request, response, files, own().port).catch(() => end(response, 500, 'The file could not be read.'));
  });
  const own = () => server.address() as AddressInfo;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new UserError(listenFailure(error, port))));
    server.listen(port, ADDRESS, resolve);
  });
  return {
    url: `http://${ADDRESS}:${own().port}/`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listenFailure({ code, message }: NodeJS.ErrnoException, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} is in use by another program. Name another one, or leave out --port.`;
  if (code === 'EACCES')
    return `Port ${port} may not be used by this user. Name one from 1024 on, or leave out --port.`;
  return `Port ${port} cannot be used: ${message}.`;
}

async function answer(request: IncomingMessage, response: ServerResponse, files: PageFiles, port: number) {
  // A page of elsewhere can have its own name lead here, and would then read along.
  const hosts = [`${ADDRESS}:${port}`, `localhost:${port}`];
  if (!hosts.includes(request.headers.host ?? '')) return end(response, 421, 'This server is for this machine alone.');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return end(response, 405, 'Only GET and HEAD are answered.');
  }
  const path = pathOf(request.url ?? '');
  if (path === null) return end(response, 400, 'The address is not the path of a page.');
  if (path === '') return redirect(response, '/wrkbench/');
  const content = await files.read(path.endsWith('/') ? `${path}index.html` : path);
  if (content !== null) return send(response, path.endsWith('/') ? '.html' : extname(path), content, request.method);
  if (!path.endsWith('/') && (await files.read(`${path}/index.html`)) !== null) {
    // Without its slash, what lies beside a page would be looked for one folder above.
    const [, search = ''] = /^[^?]*(\?.*)?$/s.exec(request.url ?? '') ?? [];
    return redirect(response, `/${path.split('/').map(encodeURIComponent).join('/')}/${search}`);
  }
  end(response, 404, 'There is no such page.');
}

/** From the top, without `/` at its beginning; null for what could lead anywhere else. */
function pathOf(target: string): string | null {
  const [raw = ''] = target.split(/[?#]/, 1);
  let path: string;
  try {
    path = decodeURIComponent(raw);
  } catch {
    return null;
  }
  if (!path.startsWith('/') || /[\\\p{Cc}]/u.test(path)) return null;
  const parts = path.slice(1).split('/');
  const isOdd = parts.some((part, index) => part.startsWith('.') || (part === '' && index < parts.length - 1));
  return isOdd ? null : parts.join('/');
}

function redirect(response: ServerResponse, location: string): void {
  response.setHeader('location', location);
  end(response, 302, '');
}

function send(response: ServerResponse, ending: string, content: Uint8Array, method: string): void {
  const type = TYPES[ending] ?? 'application/octet-stream';
  headers(response, ending === '.html' ? `${PAGES_POLICY}; frame-ancestors 'none'` : policyOf(ending));
  response.writeHead(200, { 'content-type': type, 'content-length': content.byteLength });
  response.end(method === 'HEAD' ? undefined : content);
}

/** A picture that is opened by itself is a document, and may do nothing. */
function policyOf(ending: string): string {
  return ending === '.svg' ? "default-src 'none'; style-src 'unsafe-inline'; sandbox" : "default-src 'none'; sandbox";
}

function end(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  headers(response, "default-src 'none'; sandbox");
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

function headers(response: ServerResponse, policy: string): void {
  response.setHeader('content-security-policy', policy);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  // What is published next is seen at once.
  response.setHeader('cache-control', 'no-store');
}
