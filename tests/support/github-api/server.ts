import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { giteaShape, NOT_IN_GITEA } from '../gitea-api/shape.ts';
import { type Answer, answerOf } from './answers.ts';
import { described, diagnosticsOf } from './description.ts';
import { isAllowed, type Permissions } from './permissions.ts';
import type { Forge } from './state.ts';

export interface GithubApi {
  /** For `GITHUB_API_URL`. */
  url: string;
  /** Every request that came, as `POST issues/create-comment`. */
  calls: string[];
  /** What GitHub would have refused, or does not know. A test that leaves any has failed. */
  diagnostics: string[];
  /** Faults for what is to come, each for as many requests as it says. */
  faults: Fault[];
  close(): Promise<void>;
}

export interface Fault {
  /** Operation, `issues/create-comment`; `storage` where artifacts lie; null for any. */
  operation: string | null;
  times: number;
  /**
   * `drop`: the connection is closed without an answer. `apply-and-drop`: so it is, after it was carried out. `cut`: it is
   * closed in the middle of the answer, of the storage alone.
   */
  kind: 500 | 502 | 403 | 404 | 422 | 'secondary-limit' | 'drop' | 'apply-and-drop' | 'cut';
}

export interface GithubApiOptions {
  /** Token → what it may do, and as whom it writes. */
  tokens: Record<string, { permissions: Permissions; login: string }>;
  /** Before the paths: `/api/v3` of GitHub Enterprise Server. */
  basePath?: string;
  /** Operations that this forge does not have, answered with 404; `git/` for all that begin so. */
  missing?: string[];
  /** Contents come as JSON with base64 in it, whatever is asked for. */
  plainContents?: boolean;
  /** Origin of the addresses of next pages; its own where it is not said. */
  linksAt?: string;
  /** Answers have the form that Gitea gives them, and what it has not is missing. */
  gitea?: boolean;
}

/** GitHub's API over a made-up repository: strict in what it takes, and no milder than GitHub in what it allows. */
export async function githubApi(forge: Forge, options: GithubApiOptions): Promise<GithubApi> {
  const api: GithubApi = { url: '', calls: [], diagnostics: [], faults: [], close: async () => {} };
  const blobs = createServer((request, response) => blob(request, response, forge, api));
  const blobOrigin = await listening(blobs);
  const server = createServer((request, response) => {
    void handled(request, response, forge, { ...options, blobOrigin }, api).catch((error: unknown) => {
      api.diagnostics.push(`the server failed: ${String(error)}`);
      response.destroy();
    });
  });
  api.url = `${await listening(server)}${options.basePath ?? ''}`;
  api.close = async () => {
    await Promise.all([server, blobs].map(closed));
  };
  return api;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

async function handled(
  request: IncomingMessage,
  response: ServerResponse,
  forge: Forge,
  options: GithubApiOptions & { blobOrigin: string },
  api: GithubApi,
): Promise<void> {
  const { tokens, basePath = '', gitea = false, blobOrigin } = options;
  const { missing = gitea ? NOT_IN_GITEA : [], plainContents = gitea } = options;
  const origin = new URL(api.url).origin;
  const url = new URL(request.url ?? '/', origin);
  const method = request.method ?? 'GET';
  const pathname = url.pathname.startsWith(basePath) ? url.pathname.slice(basePath.length) : url.pathname;
  if (pathname === '/graphql') return await graphql(request, response, tokens, url);
  const known = described(method, pathname);
  if (known === null) {
    api.diagnostics.push(`GitHub has no ${method} ${pathname}`);
    return json(response, { status: 404, body: { message: 'Not Found' } }, url);
  }
  const { operation, found } = known;
  api.calls.push(`${method} ${found.id}`);
  const body = await bodyOf(request);
  const said = diagnosticsOf(operation, found.parameters, url.searchParams, body);
  api.diagnostics.push(...said.map((diagnostic) => `${method} ${pathname}: ${diagnostic}`));
  if (said.length > 0) return json(response, { status: 422, body: { message: said.join('; ') } }, url);

  const token = tokens[(request.headers.authorization ?? '').replace(/^(?:token|bearer) /i, '')];
  if (token === undefined) return json(response, { status: 401, body: { message: 'Bad credentials' } }, url);
  if (found.id === 'users/get-authenticated') {
    return json(response, { status: 403, body: { message: 'Resource not accessible by integration' } }, url);
  }
  const isMissing = missing.some((each) => found.id === each || (each.endsWith('/') && found.id.startsWith(each)));
  if (isMissing) return json(response, { status: 404, body: { message: 'Not Found' } }, url);
  const allowed = isAllowed(found.id, token.permissions);
  if (allowed === null) api.diagnostics.push(`nobody looked up what ${found.id} needs`);
  if (allowed !== true) {
    return json(response, { status: 403, body: { message: 'Resource not accessible by integration' } }, url);
  }
  const fault = dueFault(api, found.id);
  if (fault !== null && fault.kind !== 'apply-and-drop') return failed(response, fault.kind, url);
  const answer = answerOf(forge, {
    operation: found.id,
    parameters: found.parameters,
    query: url.searchParams,
    body: (body ?? {}) as Record<string, unknown>,
    accept: request.headers.accept ?? '',
    login: token.login,
    plainContents,
    origin,
    blobOrigin,
  });
  if (answer === null) {
    api.diagnostics.push(`${found.id} is not made up here`);
    return json(response, { status: 501, body: { message: 'Not Implemented' } }, url);
  }
  if (fault !== null) {
    response.destroy();
    return;
  }
  const isShaped = gitea && answer.status === 200;
  const own = options.linksAt === undefined ? url : new URL(`${url.pathname}${url.search}`, options.linksAt);
  json(response, isShaped ? { ...answer, body: giteaShape(found.id, answer.body) } : answer, own);
}

/** The one question that is asked: as whom a token writes. */
async function graphql(
  request: IncomingMessage,
  response: ServerResponse,
  tokens: GithubApiOptions['tokens'],
  url: URL,
): Promise<void> {
  const { query } = (await bodyOf(request)) as { query: string };
  const token = tokens[(request.headers.authorization ?? '').replace(/^(?:token|bearer) /i, '')];
  if (token === undefined) return json(response, { status: 401, body: { message: 'Bad credentials' } }, url);
  if (query !== '{ viewer { login } }')
    return json(response, { status: 200, body: { errors: [{ message: query }] } }, url);
  json(response, { status: 200, body: { data: { viewer: { login: token.login } } } }, url);
}

function dueFault({ faults }: GithubApi, operation: string): Fault | null {
  const fault = faults.find(({ operation: at, times }) => times > 0 && (at === null || at === operation));
  if (fault !== undefined) fault.times -= 1;
  return fault ?? null;
}

function failed(response: ServerResponse, kind: Fault['kind'], url: URL): void {
  if (typeof kind === 'string' && kind !== 'secondary-limit') {
    response.destroy();
    return;
  }
  if (kind === 'secondary-limit') {
    response.setHeader('retry-after', '1');
    const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
    const documentation = 'https://docs.github.com/rest#secondary-rate-limits';
    json(response, { status: 403, body: { message, documentation_url: documentation } }, url);
    return;
  }
  json(response, { status: kind, body: { message: `fault ${kind}` } }, url);
}

/** Where artifacts lie is another server, which must not get the token. */
function blob(request: IncomingMessage, response: ServerResponse, forge: Forge, api: GithubApi): void {
  const id = Number(/^\/blobs\/(\d+)$/.exec(request.url ?? '')?.[1]);
  const artifact = forge.artifacts.find((each) => each.id === id);
  if (request.headers.authorization !== undefined) api.diagnostics.push('the token was sent to where artifacts lie');
  if (artifact === undefined) {
    api.diagnostics.push(`there is no blob ${id}`);
    response.writeHead(404).end();
    return;
  }
  const fault = dueFault(api, 'storage');
  if (fault !== null && fault.kind !== 'cut') {
    failed(response, fault.kind, new URL(api.url));
    return;
  }
  response.writeHead(200, { 'content-type': 'application/zip', 'content-length': artifact.zip.byteLength });
  if (fault === null) response.end(artifact.zip);
  else response.write(artifact.zip.slice(0, 100), () => response.destroy());
}

function json(response: ServerResponse, answer: Answer & { page?: { next: number | null } }, url: URL): void {
  if (answer.redirect !== undefined) {
    response.writeHead(answer.status, { location: answer.redirect }).end();
    return;
  }
  const next = answer.page?.next ?? null;
  if (next !== null) {
    const following = new URL(url);
    following.searchParams.set('page', String(next));
    response.setHeader('link', `<${following}>; rel="next"`);
  }
  if (answer.text !== undefined) {
    response
      .writeHead(answer.status, { 'content-type': 'application/vnd.github.raw+json; charset=utf-8' })
      .end(answer.text);
    return;
  }
  const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
  response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8' }).end(text);
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}
