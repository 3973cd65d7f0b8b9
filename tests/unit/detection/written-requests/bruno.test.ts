import { describe, expect, it } from 'vitest';
import { brunoRequests } from '../../../../src/core/detection/written-requests/bruno.ts';
import { writtenApis } from '../../../../src/core/detection/written-requests/written-apis.ts';

const file = (path: string, ...lines: string[]) => ({ path, content: `${lines.join('\n')}\n` });

const LOGIN = file(
  'requests/log in.bru',
  'meta {',
  '  name: log in',
  '}',
  '',
  'post {',
  '  url: {{base}}/session',
  '  body: json',
  '}',
  '',
  'body:json {',
  '  {',
  '    "user": "{{user}}", "password": "secret-1"',
  '  }',
  '}',
  '',
  'vars:pre-request {',
  '  user: ann',
  '}',
);
const SHELVES = file(
  'requests/shelves.bru',
  'get {',
  '  url: {{base}}/shelves?open=1',
  '  body: none',
  '  auth: bearer',
  '}',
  'headers {',
  '  X-Room: 7',
  '  ~X-Off: 1',
  '}',
);
const environment = (name: string, base: string) =>
  file(`requests/environments/${name}.bru`, 'vars {', `  base: ${base}`, '}');

describe('the requests of a Bruno collection', () => {
  it('are read from a file each, with the variables of their own and of the environment of this machine', () => {
    const all = [
      LOGIN,
      SHELVES,
      environment('hosted', 'https://shop.example.net'),
      environment('local', 'http://localhost:4000/api'),
    ];
    expect(brunoRequests(all)).toEqual([
      {
        method: 'POST',
        url: 'http://localhost:4000/api/session',
        headers: [],
        body: '{\n    "user": "ann", "password": "secret-1"\n  }',
      },
      {
        method: 'GET',
        url: 'http://localhost:4000/api/shelves?open=1',
        headers: [
          ['X-Room', '7'],
          ['authorization', 'bearer'],
        ],
        body: null,
      },
    ]);
  });

  it('are left out where what they send is not written down', () => {
    const upload = file('requests/upload.bru', 'post {', '  url: {{base}}/files', '  body: multipartForm', '}');
    const settings = file('requests/collection.bru', 'auth {', '  mode: none', '}');
    expect(brunoRequests([upload, settings])).toEqual([]);
  });

  it('are one document', () => {
    const [api, ...others] = writtenApis([LOGIN, SHELVES]);
    expect(others).toEqual([]);
    expect(api!.basePath).toBe('/api');
    expect(api!.endpoints.map(({ method, path, isSecured }) => [method, path, isSecured])).toEqual([
      ['POST', '/session', false],
      ['GET', '/shelves?open=1', true],
    ]);
  });
});
