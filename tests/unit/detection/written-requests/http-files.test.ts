import { describe, expect, it } from 'vitest';
import { httpFileRequests } from '../../../../src/core/detection/written-requests/http-files.ts';

describe('the requests of an .http file', () => {
  it('are told apart, with its variables filled in', () => {
    const text = `@host = http://localhost:5000
@api = {{host}}/api

GET {{api}}/items HTTP/1.1
    ?page=1
    &size=20
Accept: application/json

### Makes one
# @name create
POST {{api}}/items
Content-Type: application/json
Authorization: Bearer {{token}}

{
  "name": "a thing"
}

> {% client.test() %}

###
DELETE {{api}}/items/1
`;
    expect(httpFileRequests(text)).toEqual([
      {
        method: 'GET',
        url: 'http://localhost:5000/api/items?page=1&size=20',
        headers: [['Accept', 'application/json']],
        body: null,
      },
      {
        method: 'POST',
        url: 'http://localhost:5000/api/items',
        headers: [
          ['Content-Type', 'application/json'],
          ['Authorization', 'Bearer {{token}}'],
        ],
        body: '{\n  "name": "a thing"\n}',
      },
      { method: 'DELETE', url: 'http://localhost:5000/api/items/1', headers: [], body: null },
    ]);
  });

  it('may have a body right behind their headers', () => {
    const text = 'POST http://localhost/items\nContent-Type: application/json\n{"name": "a: thing"}\n';
    expect(httpFileRequests(text)).toMatchObject([
      { headers: [['Content-Type', 'application/json']], body: '{"name": "a: thing"}' },
    ]);
  });

  it('end where a .hurl file says what is expected', () => {
    const text =
      'GET {{host}}/health\n\nHTTP 200\n[Asserts]\njsonpath "$.ok" == true\n\nPOST {{host}}/items\n{"a": 1}\nHTTP 201\n';
    expect(httpFileRequests(text).map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET {{host}}/health',
      'POST {{host}}/items',
    ]);
  });

  it('keep what only an answer or a reader fills in', () => {
    const text = '@host = localhost\n@id =\n@other = {{made.response.body.id}}\nGET {{host}}/a/{{id}}/b/{{other}}\n';
    expect(httpFileRequests(text)[0]!.url).toBe('localhost/a/{{id}}/b/{{made.response.body.id}}');
  });

  it('are left out where a file is sent', () => {
    expect(httpFileRequests('POST /items\nContent-Type: application/json\n\n< body.json\n')).toEqual([]);
  });
});
