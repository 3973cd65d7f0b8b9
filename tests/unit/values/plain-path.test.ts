import { describe, expect, it } from 'vitest';
import { joinedPath, plainPath } from '../../../src/core/values/plain-path.ts';

describe('a path of the repository', () => {
  it.each([
    ['bench/../sql/./init.sql', 'sql/init.sql'],
    ['./a//b/', 'a/b'],
    ['../../a', 'a'],
    ['.', ''],
  ])('%s is plainly %s', (path, plain) => {
    expect(plainPath(path)).toBe(plain);
  });

  it.each([
    ['bench', '../sql/init.sql', 'sql/init.sql'],
    ['.', 'a', 'a'],
    ['', './a', 'a'],
    ['bench', '../../a', null],
    ['bench', '../../bench/a', null],
    ['a/b', '../..', ''],
  ])('in %j, %j is %j', (folder, path, joined) => {
    expect(joinedPath(folder, path)).toBe(joined);
  });
});
