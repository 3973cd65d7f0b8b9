import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileRequests } from '../../../src/core/requests/files/request-file.ts';
import { UnusableRequests } from '../../../src/core/requests/request-set.ts';

/** What could begin or end a part of a request, more often than by chance. */
const piece = fc.oneof(
  fc.constantFrom(
    'GET /',
    'POST ',
    'http://a',
    '//',
    '@',
    '{"path": "/',
    '"}',
    '{"log"',
    '{"url": "',
    ':',
    '#',
    '\n',
    '\r',
    '\0',
  ),
  fc.string({ maxLength: 8, unit: 'binary' }),
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  text.map((each) => new TextEncoder().encode(each)),
);

describe('any file as a list of requests', () => {
  it('is read, or refused by a message of a bounded length', () => {
    fc.assert(
      fc.property(bytes, (content) => {
        try {
          for (const { method = 'GET', path, headers } of fileRequests(content, 'a.txt')) {
            expect(method).toMatch(/^[A-Z]{1,20}$/);
            expect(path).toMatch(/^\/[!-~]*$/);
            for (const [name, value] of Object.entries(headers)) {
              expect(name).toMatch(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/);
              expect(value).not.toMatch(/[\r\n\0]/);
            }
          }
        } catch (error) {
          expect(error).toBeInstanceOf(UnusableRequests);
          expect((error as Error).message.length).toBeLessThan(2000);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
