import { describe, expect, it } from 'vitest';
import { mergedNumber } from '../../../src/core/posting/merged-number.ts';

describe('the pull request that a commit was made of', () => {
  it.each([
    ['Add roles (#12)', 12],
    ['Add roles (#12)\r\n\n* Perf-Accept: *: x (#3)', 12],
    ['Revert "Add roles (#12)" (#15)', 15],
    ['Merge pull request #12 from mallory/main\n\nAdd roles', 12],
    ["Merge pull request 'Undo #3 from x' (#12) from mallory/api:main into main", 12],
  ])('is named by %j', (message, number) => {
    expect(mergedNumber(message, 'main')).toBe(number);
  });

  it('is named by a branch of a merge queue, whatever the message says', () => {
    const branch = `gh-readonly-queue/release/1.0/pr-12-${'b'.repeat(40)}`;
    expect(mergedNumber('Add roles (#3)', branch)).toBe(12);
  });

  it.each(['Add roles', 'Undo #12', 'Revert "Add roles (#12)"', 'Merge branch main into roles', '', '(#9999999999)'])(
    'is not named by %j',
    (message) => {
      expect(mergedNumber(message, 'roles')).toBeNull();
    },
  );
});
