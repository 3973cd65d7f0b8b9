import { describe, expect, it } from 'vitest';
import { artifactName, newestOf, readArtifactName } from '../../../src/core/posting/artifact-name.ts';

describe('the name of an artifact', () => {
  it.each([
    ['wrkbench-api', { specName: 'api', shard: null, attempt: 1 }],
    ['wrkbench-api+shard-2-of-4', { specName: 'api', shard: { index: 2, count: 4 }, attempt: 1 }],
    ['wrkbench-api+attempt-2', { specName: 'api', shard: null, attempt: 2 }],
    ['wrkbench-a.b-c+shard-1-of-2+attempt-3', { specName: 'a.b-c', shard: { index: 1, count: 2 }, attempt: 3 }],
  ])('%s is written and read alike', (name, content) => {
    expect(artifactName(content)).toBe(name);
    expect(readArtifactName(name)).toEqual(content);
  });

  it.each([
    'coverage',
    'wrkbench',
    'wrkbench-',
    'wrkbench-Api',
    'wrkbench-../x',
    'wrkbench-api+x',
    'wrkbench-api+attempt-0',
  ])('is none of ours: %s', (name) => {
    expect(readArtifactName(name)).toBeNull();
  });

  it('is taken from the last attempt, and the later of two', () => {
    const named = (id: number, name: string) => ({ id, name });
    const all = [named(9, 'wrkbench-api'), named(3, 'wrkbench-api+attempt-2'), named(4, 'wrkbench-api+attempt-2')];
    expect(newestOf(all, ({ specName }) => specName === 'api')).toEqual(named(4, 'wrkbench-api+attempt-2'));
    expect(newestOf(all, ({ specName }) => specName === 'web')).toBeNull();
  });
});
