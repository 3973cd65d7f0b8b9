import { describe, expect, it } from 'vitest';
import { fileRequests } from '../../../src/core/requests/files/request-file.ts';
import { UnusableRequests } from '../../../src/core/requests/request-set.ts';

const read = (text: string, file = 'traffic.txt') => fileRequests(new TextEncoder().encode(text), file);
const pathsOf = (text: string) => read(text).map(({ path }) => path);

describe('JSON lines', () => {
  it('are requests with what they say', () => {
    const [first, second] = read(
      [
        '{"method": "post", "path": "/items?x=1", "headers": {"Content-Type": "application/json"}, "body": {"name": "é"}, "weight": 2.5, "status": 201}',
        '',
        '{"path": "/items", "body": "as it is"}\r',
      ].join('\n'),
    );
    expect(first).toEqual({
      method: 'POST',
      path: '/items?x=1',
      headers: { 'Content-Type': 'application/json' },
      body: '{"name":"é"}',
      weight: 2.5,
      status: 201,
    });
    expect(second).toEqual({ path: '/items', headers: {}, body: 'as it is', weight: 1 });
  });

  it('have bodies that are no text in base64', () => {
    expect(read('{"path": "/", "bodyBase64": "AP8K"}')[0]!.body).toEqual(new Uint8Array([0, 255, 10]));
  });

  it('are read as vegeta has them', () => {
    const line = {
      method: 'POST',
      url: 'http://goku:9090/things?a=1#top',
      header: { 'X-A': ['1', '2'] },
      body: 'e30=',
    };
    const [request] = read(JSON.stringify(line));
    expect(request).toMatchObject({ method: 'POST', path: '/things?a=1', headers: { 'X-A': '1, 2' } });
    expect(new TextDecoder().decode(request!.body as Uint8Array)).toBe('{}');
  });

  it('are refused by their lines', () => {
    const text = [
      '{"path": "/"}',
      'GET /',
      '[1]',
      '{"method": "G E T", "path": "/"}',
      '{"path": "items"}',
      '{"headers": {}}',
      '{"path": "/", "weight": 0}',
    ].join('\n');
    expect(() => read(text)).toThrow(UnusableRequests);
    expect(() => read(text)).toThrow(
      [
        'traffic.txt:2 is not JSON: expected an object such as {"path": "/items"} on each line',
        'traffic.txt:3 is no object: expected one such as {"path": "/items"} on each line',
        'traffic.txt:4 has the method "G E T": expected one such as GET',
        'traffic.txt:5 has the path "items": expected one that begins with /, or a URL',
        'traffic.txt:6 has no path or URL',
        '… and there are more',
      ].join('\n'),
    );
  });

  it('cannot smuggle in a line of a request', () => {
    expect(pathsOf('{"path": "/a b\\r\\nHost: evil"}')).toEqual(['/a%20b%0D%0AHost:%20evil']);
    expect(() => read('{"path": "/", "headers": {"x": "1\\r\\ny: 2"}}')).toThrow(
      '1 has a control character in the header x',
    );
    expect(() => read('{"path": "/", "headers": {"x: 1\\r\\ny": "2"}}')).toThrow('which is no name of a header');
    expect(() => read('{"path": "/", "status": 99}')).toThrow('has the status 99: expected 100 to 599');
  });

  it('have no more of a wrong value in the message than a line holds', () => {
    expect(() => read(JSON.stringify({ path: 'x'.repeat(5000) }))).toThrow(/^.{0,160}$/);
  });
});

describe("vegeta's http format", () => {
  it('is a target with its headers and the file of its body, up to the next', () => {
    const text = `
# a comment
GET http://goku:9090/path/to/dragon?item=ball
X-Account-ID: 8675309

POST /things
Content-Type: application/json
@bodies/thing.json
DELETE http://goku:9090/path/to/remove
`;
    expect(read(text)).toEqual([
      {
        method: 'GET',
        path: '/path/to/dragon?item=ball',
        headers: { 'X-Account-ID': '8675309' },
        body: null,
        weight: 1,
      },
      {
        method: 'POST',
        path: '/things',
        headers: { 'Content-Type': 'application/json' },
        body: null,
        weight: 1,
        bodyFile: 'bodies/thing.json',
      },
      { method: 'DELETE', path: '/path/to/remove', headers: {}, body: null, weight: 1 },
    ]);
  });

  it('is refused by the lines of its targets', () => {
    expect(() => read('GET /a\nwhat is this\n\nGET /b\n@one\n@two')).toThrow(
      'traffic.txt:1 has a line below it that is neither a header nor @FILE: "what is this"\ntraffic.txt:4 has two bodies: expected one line that begins with @',
    );
  });
});

describe('a list of URLs', () => {
  it('is a path or a URL on each line, of which path and query are used', () => {
    expect(pathsOf('# mine\n/a?b=c\nhttp://x.example:8080/d#e\n\nhttps://x.example\n//evil.example/f\n')).toEqual([
      '/a?b=c',
      '/d',
      '/',
      '//evil.example/f',
    ]);
  });

  it("takes siege's method and body", () => {
    expect(read('http://x.example/a POST name=b&c=d e')).toEqual([
      { method: 'POST', path: '/a', headers: {}, body: 'name=b&c=d e', weight: 1 },
    ]);
    expect(() => read('/a POST < file')).toThrow('1 takes its body from a file: write the body itself');
  });
});

describe('an HTTP Archive', () => {
  it('is the requests of a browser without what that adds for itself', () => {
    const entry = (request: object, status: number) => ({ request, response: { status } });
    const log = {
      entries: [
        entry(
          {
            method: 'GET',
            url: 'https://shop.example/items?page=2',
            headers: [
              { name: ':authority', value: 'shop.example' },
              { name: 'User-Agent', value: 'Mozilla' },
              { name: 'Accept', value: 'text/html' },
            ],
          },
          304,
        ),
        entry({ method: 'POST', url: 'https://shop.example/cart', postData: { text: '{"id":1}' } }, 201),
      ],
    };
    expect(read(JSON.stringify({ log }, null, 2), 'shop.har')).toEqual([
      { method: 'GET', path: '/items?page=2', headers: { Accept: 'text/html' }, body: null, weight: 1, status: 200 },
      { method: 'POST', path: '/cart', headers: {}, body: '{"id":1}', weight: 1, status: 201 },
    ]);
    expect(() => read('{"log": {}}', 'x.har')).toThrow('x.har is no HTTP Archive: it has no log.entries.');
  });
});

describe('what is no list of requests', () => {
  it('is refused', () => {
    expect(() => read(' \n# nothing\n')).toThrow('traffic.txt holds no request.');
    expect(() => fileRequests(new Uint8Array([0x2f, 0xff]), 'a.txt')).toThrow('a.txt is not text in UTF-8');
  });
});
