import { describe, expect, it } from 'vitest';
import { generators } from '../../../src/core/generators/registry.ts';
import { whyUnsendable } from '../../../src/core/generators/sendable-requests.ts';
import { requestTo, setOf } from '../requests/given.ts';

const what = 'The requests of articles';
const why = (name: keyof typeof generators, set: ReturnType<typeof setOf>, script: string | null = null) =>
  whyUnsendable(generators[name], set, { script, what });

const urls = setOf([requestTo('/a'), requestTo('/b')]);
const mixed = setOf([requestTo('/a'), requestTo('/a', { method: 'POST', body: '{}' })]);

describe('requests that differ', () => {
  it('are all sent by wrk and k6', () => {
    expect(why('wrk', mixed)).toBeNull();
    expect(why('k6', mixed)).toBeNull();
  });

  it('are sent by h2load where only their URLs do', () => {
    expect(why('h2load', urls)).toBeNull();
    expect(why('h2load', mixed)).toBe(
      'The requests of articles differ in more than their URLs, and h2load takes a list of URLs alone: measure them with wrk or k6, or name an endpoint for each method and body.',
    );
    const headers = setOf([requestTo('/a', { headers: { a: '1' } }), requestTo('/a', { headers: { a: '2' } })]);
    expect(why('h2load', headers)).toContain('in more than their URLs');
    const bytes = (byte: number) => requestTo('/a', { bodyBytes: new Uint8Array([byte]) });
    expect(why('h2load', setOf([bytes(1), bytes(2)]))).toContain('in more than their URLs');
    expect(why('h2load', setOf([bytes(1), bytes(1)]))).toBeNull();
  });

  it('are not sent by ab', () => {
    expect(why('ab', urls)).toBe(
      'The requests of articles differ from each other, and ab sends one URL again and again: measure them with wrk or k6.',
    );
  });

  it("are not sent beside a script of the user's own", () => {
    expect(why('wrk', urls, 'own.lua')).toBe(
      'The requests of articles differ from each other, and the script of load.wrk sends requests of its own: leave one of the two out.',
    );
  });
});
