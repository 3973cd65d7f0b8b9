import { describe, expect, it } from 'vitest';
import { attemptOnPage, attemptUrl, isOlder, readAttemptUrl } from '../../../src/core/posting/run-order.ts';

const url = 'https://github.com/acme/api/actions/runs/7301';

describe('the order of runs', () => {
  it('is that of their ids, then of their attempts', () => {
    expect(isOlder({ run: 7301, attempt: 3 }, { run: 7302, attempt: 1 })).toBe(true);
    expect(isOlder({ run: 7301, attempt: 1 }, { run: 7301, attempt: 2 })).toBe(true);
    expect(isOlder({ run: 7301, attempt: 2 }, { run: 7301, attempt: 2 })).toBe(false);
    expect(isOlder({ run: 7302, attempt: 1 }, { run: 7301, attempt: 2 })).toBe(false);
  });

  it('can be read from the address that a status links to', () => {
    expect(attemptUrl({ url, attempt: 1 })).toBe(url);
    expect(readAttemptUrl(url)).toEqual({ run: 7301, attempt: 1 });
    expect(attemptUrl({ url, attempt: 2 })).toBe(`${url}/attempts/2`);
    expect(readAttemptUrl(`${url}/attempts/2`)).toEqual({ run: 7301, attempt: 2 });
  });

  it('can be read where no attempt has a page of its own', () => {
    expect(attemptOnPage(url, 1)).toBe(url);
    const second = attemptOnPage(url, 2);
    expect(second).toBe(`${url}?attempt=2`);
    expect(attemptUrl({ url: second, attempt: 2 })).toBe(second);
    expect(readAttemptUrl(second)).toEqual({ run: 7301, attempt: 2 });
  });

  it.each(['', 'https://ci.acme.com/7301', `${url}/job/5`, 'https://github.com/acme/api/runs/x'])(
    'is not told by %j',
    (other) => {
      expect(readAttemptUrl(other)).toBeNull();
    },
  );
});
