import { describe, expect, it } from 'vitest';
import type { Case } from '../../../src/core/config/case.ts';
import { warnings } from '../../../src/core/validity/verdict.ts';
import { healthyTrial, testCase } from '../support/trials.ts';

function messagesOf(changes: Partial<Case>, mix?: Record<string, number>): string[] {
  const own = testCase(changes);
  const endpoint = { ...own.endpoint, ...(mix === undefined ? {} : { mix }) };
  return warnings({ trial: healthyTrial(), case: { ...own, endpoint }, pass: null }).map(
    ({ code, message }) => `${code}: ${message}`,
  );
}

const mix = { list: 8, item: 2 };

describe('requests that each connection of h2load sends by itself', () => {
  it('are told, with how many that were', () => {
    expect(messagesOf({ generator: 'h2load', connections: 100 }, mix)).toEqual([
      'requests-in-step: each of the 100 connections of h2load sends the list of requests by itself, from the same place on: ' +
        '500 requests in this trial, each 100 times at about the same moment, which loads caches and locks as no number of users does. ' +
        'Measure it with wrk or k6, or with `connections: 1`, and `streams` where the service speaks HTTP/2',
    ]);
  });

  it('are no matter with one connection, one request, or another generator', () => {
    expect(messagesOf({ generator: 'h2load', connections: 1 }, mix)).toEqual([]);
    expect(messagesOf({ generator: 'h2load', connections: 100 })).toEqual([]);
    expect(messagesOf({ generator: 'wrk', connections: 100 }, mix)).toEqual([]);
  });
});
