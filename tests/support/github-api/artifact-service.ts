import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Forge } from './state.ts';

/**
 * The service that `@actions/artifact` uploads to, as its own client calls it: Twirp with JSON for the entries, and blocks of
 * a blob for the content. What is finalized is an artifact of the forge.
 * https://github.com/actions/toolkit/tree/main/packages/artifact
 */
export interface ArtifactService {
  /** For a job's environment. */
  variables: Record<string, string>;
  close(): Promise<void>;
}

interface Upload {
  run: number;
  name: string;
  blocks: Map<string, Buffer>;
  content: Buffer | null;
}

export async function artifactService(forge: Forge, run: () => number): Promise<ArtifactService> {
  const uploads: Upload[] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    const body = await bytesOf(request);
    if (url.pathname.startsWith('/upload/')) return stored(url, body, response);
    const asked = JSON.parse(body.toString('utf8')) as { name: string };
    const json = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (url.pathname.endsWith('/CreateArtifact')) {
      uploads.push({ run: run(), name: asked.name, blocks: new Map(), content: null });
      json({ ok: true, signed_upload_url: `${origin}/upload/${uploads.length - 1}?sig=0123456789abcdef` });
    } else if (url.pathname.endsWith('/FinalizeArtifact')) {
      const upload = uploads.findLast(({ name }) => name === asked.name)!;
      const id = 9000 + forge.artifacts.length;
      forge.artifacts.push({ id, run: upload.run, name: upload.name, zip: upload.content!, expired: false });
      json({ ok: true, artifact_id: String(id) });
    } else response.writeHead(404).end();
  }

  function stored(url: URL, body: Buffer, response: ServerResponse): void {
    const upload = uploads[Number(url.pathname.slice('/upload/'.length))]!;
    const kind = url.searchParams.get('comp');
    if (kind === 'block') upload.blocks.set(url.searchParams.get('blockid')!, body);
    else if (kind === 'blocklist') {
      const ids = [...body.toString('utf8').matchAll(/<(?:Latest|Uncommitted|Committed)>([^<]+)</g)].map(
        ([, id]) => id!,
      );
      upload.content = Buffer.concat(ids.map((id) => upload.blocks.get(id)!));
    } else upload.content = body;
    const headers = {
      etag: '"0x1"',
      'last-modified': new Date(0).toUTCString(),
      'x-ms-request-id': 'x',
      'x-ms-version': '2025-01-05',
    };
    response.writeHead(201, headers).end();
  }

  return {
    variables: { ACTIONS_RESULTS_URL: `${origin}/`, ACTIONS_RUNTIME_TOKEN: token() },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Unsigned: only the ids in its scope are read. */
function token(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ scp: 'Actions.Results:00000000-run:00000000-job' })}.x`;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
