import { describe, expect, it } from 'vitest';
import { requestText } from '../../../src/core/config/request-text.ts';
import type { Endpoint } from '../../../src/core/config/resolved.ts';
import { caseOf, LOADS } from '../generators/cases.ts';

const textOf = (endpoint: Partial<Endpoint>, more?: Parameters<typeof requestText>[1]) =>
  requestText(caseOf(LOADS.wrk, { endpoint }).endpoint, more);

describe('what an endpoint is asked, in a few words', () => {
  it('is method and path of a single request', () => {
    expect(textOf({}, { basePath: '/api', requests: null })).toBe('GET /api/ping');
  });

  it('is the same with how many there are, where they differ', () => {
    const values = { id: ['1', '2'] };
    expect(textOf({ path: '/{id}', values }, { requests: 1000 })).toBe('GET /{id}, 1,000 requests, shuffled');
    expect(textOf({ path: '/{id}', values })).toBe('GET /{id}, shuffled');
  });

  it('is the file that they are from, or the endpoints that they are of', () => {
    expect(textOf({ requests: 'bench/traffic.jsonl' }, { requests: 1 })).toBe(
      'requests of bench/traffic.jsonl, 1 request, shuffled',
    );
    expect(textOf({ mix: { items: 8, item: 2 } }, { requests: 1001 })).toBe(
      'items 8, item 2, 1,001 requests, shuffled',
    );
  });
});
