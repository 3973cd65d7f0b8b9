import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the adapter makes, and what a real Gitea answered: fixtures/gitea-api. */
export interface Recorded {
  /** As the adapter has it: `GET /repos/{owner}/{repo}/pulls/{pull_number}`. */
  route: string;
  /** Below `/api/v1`, with the query. */
  path: string;
  status: number;
  type?: string;
  link?: string;
  body?: unknown;
}

const file = new URL('../../../fixtures/gitea-api/answers.json', import.meta.url);
export const { answers: recorded } = JSON.parse(readFileSync(file, 'utf8')) as { answers: Recorded[] };

export interface RecordedGitea {
  /** With `/api/v1`. */
  url: string;
  /** Requests that were not recorded, which get a 501. */
  unknown: string[];
  close(): Promise<void>;
}

/** A server that answers as it was recorded, by method, path and page. */
export async function recordedGitea(): Promise<RecordedGitea> {
  const unknown: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const asked = keyOf(request.method ?? '', (request.url ?? '').replace(/^\/api\/v1/, ''));
    const found = recorded.find(({ route, path }) => keyOf(route.split(' ')[0]!, path) === asked);
    if (found === undefined) {
      unknown.push(asked);
      response.writeHead(501).end();
      return;
    }
    const { status, type, link, body } = found;
    const { port } = server.address() as AddressInfo;
    response.writeHead(status, {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(link === undefined ? {} : { link: link.replaceAll('https://gitea.example.org', `http://127.0.0.1:${port}`) }),
    });
    response.end(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    unknown,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function keyOf(method: string, path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://gitea');
  return `${method} ${decodeURIComponent(pathname)} ${searchParams.get('page') ?? ''}`.trim();
}
