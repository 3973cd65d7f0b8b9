import { describe, expect, it } from 'vitest';
import { notMeasured } from '../../../src/app/workflow/not-measured.ts';

const changing = (files: string[] | null) => async () => files;

describe('a job', () => {
  it('measures what changed, and everything where nobody said what matters', async () => {
    expect(await notMeasured({ paths: ['src/**'] }, { event: 'pull_request' }, changing(['src/a.ts']))).toBeNull();
    expect(await notMeasured({ paths: [] }, { event: 'pull_request' }, changing(['README.md']))).toBeNull();
  });

  it('does not measure a pull request that changes nothing of what matters', async () => {
    expect(await notMeasured({ paths: ['src/**'] }, { event: 'pull_request' }, changing(['README.md']))).toBe(
      'Not measured: no relevant files changed.',
    );
  });

  it('does not measure what is in a merge queue, whatever it changes', async () => {
    expect(await notMeasured({ paths: [] }, { event: 'merge_group' }, changing(null))).toBe(
      'Not measured: a merge queue holds what was measured in its pull requests.',
    );
  });
});
