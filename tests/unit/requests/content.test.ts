import { describe, expect, it } from 'vitest';
import { formContent } from '../../../src/core/requests/content/form.ts';
import { graphqlContent } from '../../../src/core/requests/content/graphql.ts';
import { multipartContent } from '../../../src/core/requests/content/multipart.ts';

describe('a form', () => {
  it('is written as browsers write it', () => {
    expect(formContent({ a: 'b c', 'd&e': 'é=' })).toEqual({
      body: 'a=b+c&d%26e=%C3%A9%3D',
      contentType: 'application/x-www-form-urlencoded',
    });
  });
});

describe('an operation of GraphQL', () => {
  it('is JSON with its query and variables', () => {
    const { body, contentType } = graphqlContent({
      query: 'query ($id: ID!) { item(id: $id) { name } }',
      variables: { id: 7 },
    });
    expect(JSON.parse(body)).toEqual({ query: 'query ($id: ID!) { item(id: $id) { name } }', variables: { id: 7 } });
    expect(contentType).toBe('application/json');
    expect(JSON.parse(graphqlContent({ query: '{ a }' }).body)).toEqual({ query: '{ a }' });
  });
});

describe('a form with files', () => {
  const image = new Uint8Array([0x89, 0x50, 0x00, 0xff]);
  const parts = [
    { name: 'ti"tle\r\n', text: 'ä' },
    { name: 'upload', file: 'img/a.png', fileName: 'a.png', type: 'image/png' },
  ];
  const files = new Map([['img/a.png', image]]);

  it('is what a server reads from browsers', async () => {
    const { body, contentType } = multipartContent(parts, files);
    const read = await new Response(body as Uint8Array<ArrayBuffer>, {
      headers: { 'content-type': contentType },
    }).formData();
    expect([...read.keys()]).toEqual(['ti"tle\r\n', 'upload']);
    expect(read.get('ti"tle\r\n')).toBe('ä');
    const upload = read.get('upload') as File;
    expect({ name: upload.name, type: upload.type }).toEqual({ name: 'a.png', type: 'image/png' });
    expect(new Uint8Array(await upload.arrayBuffer())).toEqual(image);
  });

  it('is the same each time, and divided otherwise where its content differs', () => {
    expect(multipartContent(parts, files)).toEqual(multipartContent(parts, files));
    const other = multipartContent(parts, new Map([['img/a.png', new Uint8Array([1])]]));
    expect(other.contentType).not.toBe(multipartContent(parts, files).contentType);
  });

  it('is divided by nothing that stands in it', () => {
    const boundaryOf = (text: string) =>
      /boundary=(.*)$/.exec(multipartContent([{ name: 'a', text }], new Map()).contentType)![1]!;
    // Whatever it is for a text, a text that holds it has another.
    const first = boundaryOf('x');
    expect(boundaryOf(first)).not.toBe(first);
  });
});
