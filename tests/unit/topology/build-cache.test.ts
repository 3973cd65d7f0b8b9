import { describe, expect, it } from 'vitest';
import { cacheArguments, cacheNamespaceOf } from '../../../src/core/topology/build-cache.ts';

const workflow = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_REF: 'refs/heads/main' };

describe('the cache mounts of builds', () => {
  it('are shared by the runs of one branch or pull request of one repository', () => {
    expect(cacheNamespaceOf(workflow)).toBe('wrkbench:acme/shop:refs/heads/main');
    expect(cacheNamespaceOf({ ...workflow, GITHUB_REF: 'refs/pull/7/merge' })).toBe(
      'wrkbench:acme/shop:refs/pull/7/merge',
    );
    expect(cacheNamespaceOf({ ...workflow, GITHUB_REPOSITORY: 'acme/api' })).toBe('wrkbench:acme/api:refs/heads/main');
  });

  it('stay those of the engine outside of a workflow, where all builds are the own ones', () => {
    expect(cacheNamespaceOf({})).toBeNull();
    expect(cacheArguments(null)).toEqual({});
  });
});
