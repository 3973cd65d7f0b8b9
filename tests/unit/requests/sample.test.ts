import { describe, expect, it } from 'vitest';
import { sampledRequests } from '../../../src/core/requests/sample.ts';
import { requestTo, setOf } from './given.ts';

describe('a sample of requests', () => {
  it('is all of a few', () => {
    const set = setOf([requestTo('/a'), requestTo('/b')], [0, 1, 0, 0]);
    expect(sampledRequests(set, 20).map(({ path }) => path)).toEqual(['/a', '/b']);
  });

  it('is as many as asked for, different, from the whole order', () => {
    const set = setOf(Array.from({ length: 1000 }, (_, id) => requestTo(`/${id}`)));
    const sampled = sampledRequests(set, 20);
    expect(new Set(sampled)).toHaveLength(20);
    expect(sampled.some(({ path }) => Number(path.slice(1)) > 900)).toBe(true);
  });

  it('has one of each group at least', () => {
    const rare = requestTo('/rare', { name: 'rare' });
    const set = setOf([...Array.from({ length: 999 }, (_, id) => requestTo(`/${id}`)), rare]);
    expect(sampledRequests(set, 5)).toContain(rare);
  });
});
