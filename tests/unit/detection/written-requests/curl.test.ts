import { describe, expect, it } from 'vitest';
import { curlRequests } from '../../../../src/core/detection/written-requests/curl.ts';

const plain = { method: 'GET', headers: [], body: null };

describe('the curl commands of a text', () => {
  it.each([
    ['curl http://localhost:8080/items', { ...plain, url: 'http://localhost:8080/items' }],
    ['$ curl -sS localhost/items | jq .', { ...plain, url: 'localhost/items' }],
    ['`curl :8080/items`', { ...plain, url: ':8080/items' }],
    ['    curl -o out.json --max-time 5 -k "$HOST/items"', { ...plain, url: '$HOST/items' }],
    ['curl --request=DELETE localhost/items/1', { ...plain, method: 'DELETE', url: 'localhost/items/1' }],
    [
      'curl -XPUT localhost/items/1 -d a=1 -d b=2',
      { ...plain, method: 'PUT', url: 'localhost/items/1', body: 'a=1&b=2' },
    ],
    ['curl -G localhost/items -d page=2', { ...plain, url: 'localhost/items?page=2' }],
    ['curl -I localhost/items', { ...plain, method: 'HEAD', url: 'localhost/items' }],
    ['curl -u me:secret localhost/items', { ...plain, url: 'localhost/items', headers: [['authorization', 'Basic']] }],
    [
      `curl --json '{"a": 1}' localhost/items`,
      { method: 'POST', url: 'localhost/items', headers: [['content-type', 'application/json']], body: '{"a": 1}' },
    ],
  ])('are read: %s', (text, request) => {
    expect(curlRequests(`Try it:\n\n${text}\n\nDone.`)).toEqual([request]);
  });

  it('go on behind a backslash, and between quotes', () => {
    const text = [
      `curl -X POST 'http://localhost:8080/stores' \\`,
      `  --header 'Content-Type: application/json' \\`,
      `  --data-raw '{`,
      `    "name": "demo"`,
      `  }'`,
      'curl localhost/next',
    ].join('\n');
    expect(curlRequests(text)).toEqual([
      {
        method: 'POST',
        url: 'http://localhost:8080/stores',
        headers: [['Content-Type', 'application/json']],
        body: '{\n    "name": "demo"\n  }',
      },
      { ...plain, url: 'localhost/next' },
    ]);
  });

  it.each([
    ['a file that is sent', 'curl -d @body.json localhost/items'],
    ['a form of files', 'curl -F file=@a.png localhost/items'],
    ['no address', 'curl -s'],
    ['a word in a sentence', 'We use curl to ask for localhost/items.'],
  ])('are none of %s', (_, text) => {
    expect(curlRequests(text)).toEqual([]);
  });
});
