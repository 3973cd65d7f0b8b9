import { describe, expect, it } from 'vitest';
import { movedPaths } from '../../../src/core/baseline/moved-paths.ts';
import { smallSpec } from '../support/comparing.ts';

describe('the paths that a change moved', () => {
  const before = smallSpec([{ name: 'users', path: '/users' }, { name: 'ping' }, { name: 'old', path: '/old' }]);

  it("are the baseline's, of endpoints that have another path or are gone", () => {
    const after = smallSpec([{ name: 'users', path: '/slow/users' }, { name: 'ping' }, { name: 'new', path: '/new' }]);
    expect(movedPaths(after, before)).toEqual({ users: '/users', old: '/old' });
  });

  it('are none where no path changed', () => {
    expect(movedPaths(before, before)).toEqual({});
  });

  it('hold no secret', () => {
    const [was, is] = ['/a?token=0123456789abcdef', '/b'].map((path) => smallSpec([{ name: 'users', path }]));
    expect(movedPaths(is!, was!)).toEqual({ users: '/a?token=[redacted]' });
  });
});
