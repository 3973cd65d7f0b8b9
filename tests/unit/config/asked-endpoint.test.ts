import { describe, expect, it } from 'vitest';
import { type AskedEndpoint, askedEndpoint, type RequestSources } from '../../../src/core/config/asked-endpoint.ts';
import type { Endpoint } from '../../../src/core/config/resolved.ts';
import { requestAt, UnusableRequests } from '../../../src/core/requests/request-set.ts';

const EXPECT = { status: 200, contentType: null, body: null, sizeBytes: null, matches: null };
const endpointOf = (more: Partial<Endpoint>): Endpoint => ({
  ...{ name: 'articles', method: 'GET', path: '/', headers: {}, body: null, expect: EXPECT },
  ...more,
});

function sourcesOf(files: Record<string, string | Uint8Array> = {}, endpoints: Endpoint[] = []): RequestSources {
  return {
    endpoints,
    async file(path) {
      const content = files[path];
      if (content === undefined) throw new UnusableRequests(`no ${path}`);
      return typeof content === 'string' ? new TextEncoder().encode(content) : content;
    },
    rows: async (sql) =>
      sql.includes('lang')
        ? { columns: ['slug', 'lang'], rows: [['a b', 'en']] }
        : { columns: ['slug'], rows: [['b'], ['a']] },
  };
}

const pathsOf = ({ requestSet }: AskedEndpoint) => requestSet!.requests.map(({ path }) => path);

describe('an endpoint that stands as it is asked', () => {
  it('is itself', async () => {
    const endpoint = endpointOf({});
    expect(await askedEndpoint(endpoint, sourcesOf())).toBe(endpoint);
  });
});

describe('an endpoint with values', () => {
  it('is asked for each of them, with what else it says', async () => {
    const values = { slug: ['a', 'b/c'], n: ['1', '2'] };
    const asked = await askedEndpoint(
      endpointOf({ path: '/{slug}?n={n}', headers: { accept: 'text/html' }, values }),
      sourcesOf(),
    );
    expect(pathsOf(asked)).toEqual(['/a?n=1', '/b%2Fc?n=2']);
    expect(asked.requestSet!.requests[0]).toEqual(endpointOf({ path: '/a?n=1', headers: { accept: 'text/html' } }));
    expect([...asked.requestSet!.order].sort()).toEqual([0, 1]);
  });

  it('takes them from the database, of one placeholder or of all', async () => {
    const one = endpointOf({ path: '/{slug}', values: { slug: { sql: 'select slug from articles' } } });
    expect(pathsOf(await askedEndpoint(one, sourcesOf()))).toEqual(['/a', '/b']);
    const all = endpointOf({ path: '/{lang}/{slug}', values: { sql: 'select slug, lang from articles' } });
    expect(pathsOf(await askedEndpoint(all, sourcesOf()))).toEqual(['/en/a%20b']);
  });

  it('is the same in every run', async () => {
    const values = { slug: Array.from({ length: 100 }, (_, id) => String(id)) };
    const once = await askedEndpoint(endpointOf({ path: '/{slug}', values }), sourcesOf());
    const again = await askedEndpoint(endpointOf({ path: '/{slug}', values }), sourcesOf());
    expect(once.requestSet!.order).toEqual(again.requestSet!.order);
    expect(once.requestSet!.order.slice(0, 10)).not.toEqual(Uint32Array.from(Array(10).keys()));
  });
});

describe('an endpoint with a file of requests', () => {
  it('is asked for these, by its own method, headers, body and answer where they say none', async () => {
    const text = [
      '{"path": "/a"}',
      '{"method": "PUT", "path": "/b", "headers": {"ACCEPT": "text/html"}, "body": "x", "status": 204}',
    ].join('\n');
    const endpoint = endpointOf({ requests: 'traffic.jsonl', headers: { accept: '*/*', 'x-a': '1' } });
    const { requestSet } = await askedEndpoint(endpoint, sourcesOf({ 'traffic.jsonl': text }));
    expect(requestSet!.requests).toEqual([
      endpointOf({ path: '/a', headers: { accept: '*/*', 'x-a': '1' } }),
      endpointOf({
        ...{ method: 'PUT', path: '/b', headers: { 'x-a': '1', ACCEPT: 'text/html' }, body: 'x' },
        expect: { ...EXPECT, status: 204 },
      }),
    ]);
  });

  it('reads the bodies that it names', async () => {
    const files = {
      'targets.txt': 'POST /a\n@a.bin\nPOST /b\n@b.json',
      'a.bin': new Uint8Array([0, 255]),
      'b.json': '{}',
    };
    const { requestSet } = await askedEndpoint(endpointOf({ requests: 'targets.txt' }), sourcesOf(files));
    expect(requestSet!.requests[0]).toMatchObject({ body: null, bodyBytes: new Uint8Array([0, 255]) });
    expect(requestSet!.requests[1]).toMatchObject({ body: '{}' });
  });

  it('sends one as often as it weighs', async () => {
    const text = '{"path": "/a", "weight": 3}\n{"path": "/b"}';
    const { requestSet } = await askedEndpoint(endpointOf({ requests: 'a' }), sourcesOf({ a: text }));
    const sent = [0, 1, 2, 3, 4].map((place) => requestAt(requestSet!, place).path);
    expect(sent.slice(0, 4).sort()).toEqual(['/a', '/a', '/a', '/b']);
    expect(sent[4]).toBe(sent[0]);
  });

  it('is refused where there are more than can be sent', async () => {
    const text = '/a\n'.repeat(100_001);
    await expect(askedEndpoint(endpointOf({ requests: 'urls.txt' }), sourcesOf({ 'urls.txt': text }))).rejects.toThrow(
      'The requests of urls.txt are 100001, and 100000 at most can be sent in turn: leave some out.',
    );
    const large = JSON.stringify({ path: '/', body: 'x'.repeat(1 << 20) });
    const lines = Array.from({ length: 33 }, () => large).join('\n');
    await expect(askedEndpoint(endpointOf({ requests: 'a' }), sourcesOf({ a: lines }))).rejects.toThrow(
      'have 34 MiB of paths, headers and bodies together, and 32 MiB at most can be sent in turn',
    );
  });
});

describe('a mix of endpoints', () => {
  const items = endpointOf({ name: 'items', path: '/items' });
  const item = endpointOf({ name: 'item', path: '/items/{id}', values: { id: ['1', '2', '3', '4'] } });
  const mixOf = (mix: Record<string, number>) => endpointOf({ name: 'browse', mix });

  it('asks for each of them in its proportion, with the answer that it expects', async () => {
    const created = endpointOf({ name: 'create', method: 'POST', expect: { ...EXPECT, status: 201 } });
    const asked = await askedEndpoint(mixOf({ items: 8, item: 1, create: 1 }), sourcesOf({}, [items, item, created]));
    const { requests, order } = asked.requestSet!;
    const sent = Array.from(order, (index) => requests[index]!.name);
    expect(sent).toHaveLength(40);
    expect(sent.filter((name) => name === 'items')).toHaveLength(32);
    expect(sent.filter((name) => name === 'create')).toHaveLength(4);
    expect(requests.find(({ name }) => name === 'create')!.expect.status).toBe(201);
  });

  it('is refused where it names none, or another mix', async () => {
    const sources = sourcesOf({}, [items, mixOf({ items: 1 })]);
    await expect(askedEndpoint(mixOf({ item: 1 }), sources)).rejects.toThrow(
      'The mix browse names item, which is no endpoint of the spec.',
    );
    await expect(askedEndpoint(mixOf({ browse: 1 }), sources)).rejects.toThrow('which is a mix itself');
  });
});

describe('an endpoint with a body of files', () => {
  it('has the text of a file, or its bytes', async () => {
    const sources = sourcesOf({ 'a.json': '{"é": 1}', 'a.png': new Uint8Array([0x89, 0x50]) });
    const text = await askedEndpoint(endpointOf({ content: { kind: 'file', file: 'a.json' } }), sources);
    expect(text).toEqual(endpointOf({ body: '{"é": 1}' }));
    const bytes = await askedEndpoint(endpointOf({ content: { kind: 'file', file: 'a.png' } }), sources);
    expect(bytes).toEqual({ ...endpointOf({}), bodyBytes: new Uint8Array([0x89, 0x50]) });
  });

  it('has a form with files, and says how it is divided', async () => {
    const parts = [
      { name: 'title', text: 'a' },
      { name: 'image', file: 'a.png', fileName: 'a.png', type: 'image/png' },
    ];
    const endpoint = endpointOf({ headers: { 'content-type': 'x' }, content: { kind: 'multipart', parts } });
    const asked = await askedEndpoint(endpoint, sourcesOf({ 'a.png': new Uint8Array([0x89]) }));
    expect(asked.headers['Content-Type']).toMatch(/^multipart\/form-data; boundary=wrkbench-[0-9a-f]{8}$/);
    expect(Object.keys(asked.headers)).toEqual(['Content-Type']);
    expect(asked.bodyBytes).toBeInstanceOf(Uint8Array);
  });
});
