import { describe, expect, it } from 'vitest';
import { filledBodyOf } from '../../../src/core/detection/api-filled-bodies.ts';

const filled = (schema: object, document: Record<string, unknown> = {}) =>
  filledBodyOf(document, { requestBody: { content: { 'application/json': { schema } } } })?.body ?? null;
const text = { type: 'string' };

describe('a body that no example shows', () => {
  it('has what is required, and what the thing is called', () => {
    const properties = { name: text, size: { type: 'integer', minimum: 3 }, note: text, isOpen: { type: 'boolean' } };
    expect(filled({ properties, required: ['size', 'isOpen'] })).toBe('{"name":"wrkbench","size":3,"isOpen":false}');
  });

  it('has the examples of its parts, and what those are made of', () => {
    const document = { components: { schemas: { Place: { required: ['city'], properties: { city: text } } } } };
    const properties = {
      title: { type: 'string', example: 'A lamp' },
      place: { $ref: '#/components/schemas/Place' },
      tags: { type: 'array', items: text },
      day: { type: 'string', format: 'date' },
    };
    expect(filled({ properties, required: ['place', 'tags', 'day'] }, document)).toBe(
      '{"title":"A lamp","place":{"city":"wrkbench"},"tags":[],"day":"2024-01-01"}',
    );
  });

  it('is of Swagger 2 as well', () => {
    const operation = { parameters: [{ in: 'body', name: 'shelf', schema: { properties: { title: text } } }] };
    expect(filledBodyOf({}, operation)).toEqual({
      headers: { 'content-type': 'application/json' },
      body: '{"title":"wrkbench"}',
    });
  });

  it.each([
    ['nothing is required and nothing is a name', { properties: { note: text } }],
    ['what is required has a form of its own', { properties: { url: { ...text, format: 'uri' } }, required: ['url'] }],
    ['what is required is never described', { properties: { any: {} }, required: ['any'] }],
    ['only the service writes it', { properties: { name: { ...text, readOnly: true } } }],
    ['it names itself', { $ref: '#/self' }],
  ])('is not there where %s', (_, schema) => {
    const self = { required: ['inner'], properties: { inner: { $ref: '#/self' } } };
    expect(filled(schema, { self })).toBeNull();
  });
});
