import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface PrivateRegistry {
  /** `127.0.0.1:PORT`: engines speak plain HTTP to it, as to any registry of this machine. */
  host: string;
  /** The one image that it has. */
  reference: string;
  /** What it was sent as `Authorization` so far, each once; null for requests without. */
  presented(): (string | null)[];
  close(): Promise<void>;
}

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const digestOf = (content: Uint8Array) => `sha256:${createHash('sha256').update(content).digest('hex')}`;

/**
 * A registry that hands out one image of the engine to whoever has its login, by HTTP Basic, and nothing to others:
 * https://distribution.github.io/distribution/spec/api/
 */
export async function privateRegistry(
  image: string,
  login: { username: string; password: string },
): Promise<PrivateRegistry> {
  const { blobs, manifest } = savedImage(image);
  const wanted = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  const presented = new Set<string | null>();
  const server = createServer(({ url = '', method, headers }, response) => {
    presented.add(headers.authorization ?? null);
    const answer = (status: number, type: string, content: Uint8Array) =>
      response
        .writeHead(status, {
          ...{ 'content-type': type, 'content-length': content.length, 'docker-content-digest': digestOf(content) },
          ...(status === 401 ? { 'www-authenticate': 'Basic realm="private"' } : {}),
        })
        .end(method === 'HEAD' ? undefined : content);
    const error = (status: number, code: string, message: string) =>
      answer(status, 'application/json', Buffer.from(JSON.stringify({ errors: [{ code, message }] })));
    if (headers.authorization !== wanted) return error(401, 'UNAUTHORIZED', 'authentication required');
    if (url === '/v2/') return answer(200, 'application/json', Buffer.from('{}'));
    const [, kind, name = ''] = /^\/v2\/private\/api\/(manifests|blobs)\/(.+)$/.exec(url) ?? [];
    if (kind === 'manifests' && ['1', digestOf(manifest)].includes(name)) return answer(200, MANIFEST, manifest);
    const blob = kind === 'blobs' ? blobs.get(name) : undefined;
    if (blob === undefined) return error(404, 'NOT_FOUND', 'not found');
    return answer(200, 'application/octet-stream', blob);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    reference: `${host}/private/api:1`,
    presented: () => [...presented],
    close() {
      server.closeAllConnections();
      return new Promise((resolve, reject) => server.close((failure) => (failure ? reject(failure) : resolve())));
    },
  };
}

/** The image's parts by their digests, and the manifest that names them. */
function savedImage(image: string): { blobs: Map<string, Uint8Array>; manifest: Uint8Array } {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-test-'));
  const archive = path.join(folder, 'image.tar');
  execFileSync('docker', ['save', '--output', archive, image]);
  execFileSync('tar', ['-C', folder, '-xf', archive]);
  const read = (file: string) => readFileSync(path.join(folder, file));
  const [saved] = JSON.parse(read('manifest.json').toString('utf8')) as { Config: string; Layers: string[] }[];
  const [config, ...layers] = [saved!.Config, ...saved!.Layers].map(read);
  rmSync(folder, { recursive: true, force: true });
  const part = (mediaType: string, content: Uint8Array) => ({
    ...{ mediaType, size: content.length, digest: digestOf(content) },
  });
  const manifest = {
    ...{ schemaVersion: 2, mediaType: MANIFEST },
    config: part('application/vnd.docker.container.image.v1+json', config!),
    layers: layers.map((layer) => part('application/vnd.docker.image.rootfs.diff.tar.gzip', layer)),
  };
  return {
    blobs: new Map([config!, ...layers].map((content) => [digestOf(content), content])),
    manifest: Buffer.from(JSON.stringify(manifest)),
  };
}
