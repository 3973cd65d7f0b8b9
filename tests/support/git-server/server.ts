import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface GitServer {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** Folder of the bare repositories. */
  root: string;
  /** Bytes of the bodies that went out and came in. */
  bytes: { sent: number; received: number };
  /** Makes a bare repository `NAME.git` that allows what GitHub's do; resolves to its path. */
  create(name: string): string;
  /** Cuts the next requests that are meant, in this order; each that has been cut is gone from it. */
  cuts: Cut[];
  close(): Promise<void>;
}

/** What a network does to one request of git's. */
export interface Cut {
  service: 'git-upload-pack' | 'git-receive-pack';
  /** Only a request with a body, behind that which asks what there is; by default any. */
  posts?: boolean;
  /**
   * `before`: the connection is reset before the server has read anything; `during`: half of the body has come through; `answered`:
   * the server has done all of it, and its answer is lost; `answering`: half of its answer comes through. A number: a proxy's status.
   */
  when: 'before' | 'during' | 'answered' | 'answering' | number;
}

export interface GitServerOptions {
  /** One of them is wanted with every request, as the password of anybody; null lets all in. */
  tokens?: Readonly<Record<string, 'read' | 'write'>> | null;
}

/** Git's own server over HTTP, as https://git-scm.com/docs/git-http-backend has it, behind a CGI of a few lines. */
export async function gitServer({ tokens = null }: GitServerOptions = {}): Promise<GitServer> {
  const root = mkdtempSync(path.join(tmpdir(), 'wrkbench-git-'));
  const bytes = { sent: 0, received: 0 };
  const cuts: Cut[] = [];
  const server = createServer((request, response) =>
    answer(request, response, { root, tokens, bytes, cut: cutOf(request, cuts) }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Made once and copied: a repository is six calls of git, and some files make one for each test.
  const empty = path.join(root, '.empty');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', '--template=', empty]);
  for (const [key, value] of Object.entries(LIKE_GITHUB)) execFileSync('git', ['-C', empty, 'config', key, value]);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    root,
    bytes,
    cuts,
    create(name) {
      const folder = path.join(root, `${name}.git`);
      cpSync(empty, folder, { recursive: true });
      return folder;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const LIKE_GITHUB = {
  'http.receivepack': 'true',
  'uploadpack.allowFilter': 'true',
  'uploadpack.allowAnySHA1InWant': 'true',
  'gc.auto': '0',
  'receive.autogc': 'false',
};

function cutOf(request: IncomingMessage, cuts: Cut[]): Cut['when'] | null {
  const [first] = cuts;
  if (first === undefined || !(request.url ?? '').includes(first.service)) return null;
  if (first.posts && request.method !== 'POST') return null;
  cuts.shift();
  return first.when;
}

interface Answering {
  root: string;
  tokens: NonNullable<GitServerOptions['tokens']> | null;
  bytes: GitServer['bytes'];
  cut: Cut['when'] | null;
}

function answer(request: IncomingMessage, response: ServerResponse, { root, tokens, bytes, cut }: Answering): void {
  if (cut === 'before') {
    request.socket.resetAndDestroy();
    return;
  }
  if (typeof cut === 'number') {
    request.resume();
    response.writeHead(cut, { 'content-type': 'text/plain' }).end('The proxy has nobody to ask.\n');
    return;
  }
  const level = tokens === null ? 'write' : tokens[passwordOf(request)];
  if (level === undefined) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    return;
  }
  if (level === 'read' && /git-receive-pack/.test(request.url ?? '')) {
    response.writeHead(403, { 'content-type': 'text/plain' }).end('Write access to repository not granted.\n');
    return;
  }
  const url = new URL(request.url ?? '/', 'http://localhost');
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      REMOTE_USER: 'tester',
      REMOTE_ADDR: '127.0.0.1',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: (request.headers['git-protocol'] as string | undefined) ?? '',
      ...(request.headers['content-length'] === undefined ? {} : { CONTENT_LENGTH: request.headers['content-length'] }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.on('data', (chunk: Buffer) => {
    bytes.received += chunk.length;
  });
  if (cut === 'during') {
    request.once('data', (chunk: Buffer) => {
      backend.stdin.write(chunk.subarray(0, chunk.length / 2));
      setTimeout(() => request.socket.resetAndDestroy(), 50);
    });
  } else {
    request.pipe(backend.stdin);
  }
  backend.stdin.on('error', () => undefined);
  let head = Buffer.alloc(0);
  let started = false;
  if (cut === 'answered') {
    backend.stdout.resume().on('end', () => request.socket.resetAndDestroy());
    return;
  }
  if (cut === 'answering') {
    response.writeHead(200, { 'content-type': `application/x-${request.url?.split('/').at(-1)}-result` });
    const chunks: Buffer[] = [];
    backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    backend.stdout.on('end', () => {
      const whole = Buffer.concat(chunks);
      const body = whole.subarray(whole.indexOf('\r\n\r\n') + 4);
      response.write(body.subarray(0, body.length / 2), () => request.socket.destroy());
    });
    return;
  }
  backend.stdout.on('data', (chunk: Buffer) => {
    if (started) {
      bytes.sent += chunk.length;
      response.write(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    started = true;
    const headers = head
      .subarray(0, end)
      .toString('utf8')
      .split('\r\n')
      .map((line) => line.split(/:\s*/, 2) as [string, string]);
    const status = headers.find(([name]) => name.toLowerCase() === 'status')?.[1] ?? '200 OK';
    response.writeHead(
      Number.parseInt(status, 10),
      Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== 'status')),
    );
    const rest = head.subarray(end + 4);
    bytes.sent += rest.length;
    response.write(rest);
  });
  backend.stdout.on('end', () => response.end());
  response.on('close', () => backend.kill());
}

function passwordOf(request: IncomingMessage): string {
  const [, basic = ''] = /^basic (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  return Buffer.from(basic, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
}
