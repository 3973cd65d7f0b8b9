import { describe, expect, it } from 'vitest';
import { postmanRequests } from '../../../../src/core/detection/written-requests/postman.ts';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const read = (collection: object) =>
  postmanRequests({
    path: 'shop.postman_collection.json',
    content: JSON.stringify({ info: { schema }, ...collection }),
  });

describe('the requests of a collection', () => {
  it('are those of its folders, with its variables and its way to log in', () => {
    const collection = {
      variable: [{ key: 'base', value: 'http://localhost:3000/api' }],
      auth: { type: 'bearer' },
      item: [
        {
          name: 'Items',
          item: [
            { request: { method: 'GET', url: { raw: '{{base}}/items?limit=20' } } },
            { request: { method: 'GET', auth: { type: 'noauth' }, url: '{{base}}/health' } },
          ],
        },
        {
          request: {
            method: 'POST',
            url: { raw: '{{base}}/items' },
            header: [
              { key: 'Content-Type', value: 'application/json' },
              { key: 'X-Old', value: '1', disabled: true },
            ],
            body: { mode: 'raw', raw: '{"name": "{{name}}"}' },
          },
        },
      ],
    };
    expect(read(collection)).toEqual([
      {
        method: 'GET',
        url: 'http://localhost:3000/api/items?limit=20',
        headers: [['authorization', 'bearer']],
        body: null,
      },
      { method: 'GET', url: 'http://localhost:3000/api/health', headers: [], body: null },
      {
        method: 'POST',
        url: 'http://localhost:3000/api/items',
        headers: [
          ['Content-Type', 'application/json'],
          ['authorization', 'bearer'],
        ],
        body: '{"name": "{{name}}"}',
      },
    ]);
  });

  it('are none of a file of another kind', () => {
    expect(read({ info: { schema: 'https://json.schemastore.org/package' }, item: [] })).toEqual([]);
  });
});
