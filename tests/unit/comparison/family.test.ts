import { describe, expect, it } from 'vitest';
import { type Candidate, familyOf } from '../../../src/core/comparison/family.ts';
import type { Level } from '../../../src/core/comparison/hypothesis.ts';

const one = (id: string, level: Level, given: Partial<Candidate> = {}): Candidate => ({
  id,
  level,
  metric: 'cpu-per-request',
  groups: [],
  threshold: 0.03,
  sameData: null,
  ...given,
});

/** Throughput and CPU per request of the same duets. */
const pair = (place: string, level: Level): Candidate[] => [
  one(`${place} throughput`, level, { metric: 'throughput', threshold: 0.051, sameData: place }),
  one(`${place} cpu-per-request`, level, { threshold: 0.0296, sameData: place }),
];

const shares = (candidates: Candidate[]) =>
  Object.fromEntries(familyOf(candidates).map(({ id, share }) => [id, share]));

describe('a family of hypotheses', () => {
  it('gives half of its error rate to endpoints, and a quarter each to the service and to cases', () => {
    expect(
      shares([one('s', 'service'), one('e1', 'endpoint'), one('e2', 'endpoint'), one('c', 'case'), one('d', 'case')]),
    ).toEqual({ s: 0.25, e1: 0.25, e2: 0.25, c: 0.125, d: 0.125 });
  });

  it.each([
    [['endpoint'], { endpoint: 1 }],
    [['service', 'endpoint'], { service: 1 / 3, endpoint: 2 / 3 }],
    [['service', 'case'], { service: 0.5, case: 0.5 }],
  ] as const)('with nothing but %j shares it out over these', (levels, expected) => {
    const found = shares(levels.map((level) => one(level, level)));
    for (const [level, share] of Object.entries(expected)) expect(found[level]).toBeCloseTo(share, 12);
  });

  it('pays for throughput once with CPU of the same duets, and tests the tighter limit first', () => {
    const family = familyOf([...pair('go/ping/*', 'endpoint'), one('memory', 'endpoint')]);
    expect(family.map(({ id, share, after }) => [id, share, after])).toEqual([
      ['go/ping/* throughput', 0.5, 'go/ping/* cpu-per-request'],
      ['go/ping/* cpu-per-request', 0.5, null],
      ['memory', 0.5, null],
    ]);
  });

  it('pays for the same data once in each level', () => {
    const family = familyOf([
      ...pair('same', 'endpoint'),
      ...pair('same', 'case').map((each) => ({ ...each, id: `${each.id} of a case` })),
    ]);
    expect(family.filter(({ after }) => after === null)).toHaveLength(2);
  });

  it('has shares that add up to 1 over what is tested first, whatever it is made of', () => {
    const candidates = [
      ...pair('go/*', 'service'),
      one('go/* memory-peak', 'service'),
      ...['ping', 'users', 'db'].flatMap((name) => pair(`go/${name}/*`, 'endpoint')),
      one('latency', 'endpoint'),
      ...Array.from({ length: 12 }, (_, index) => pair(`case ${index}`, 'case')).flat(),
    ];
    const family = familyOf(candidates);
    const first = family.filter(({ after }) => after === null);
    expect(first.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    for (const { after, share, level } of family) {
      if (after !== null) expect(first.find(({ id }) => id === after)).toMatchObject({ share, level });
    }
    expect(family.map(({ id }) => id)).toEqual(candidates.map(({ id }) => id));
  });

  it('is empty where there is nothing to test', () => {
    expect(familyOf([])).toEqual([]);
  });
});
