import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { casesOf } from '../../../src/core/config/case.ts';
import { casesOfShard, eachHasAllServices, usefulShards } from '../../../src/core/config/shard.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const cases = casesOf(
  madeUpRecord({ cases: [{ service: 'go' }, { service: 'nginx' }, { service: 'node', endpoint: 'db-ping' }] }).spec,
);
const subjects = cases.filter(({ service }) => service.role === 'subject');
const keys = (own: typeof cases) => own.map(({ key }) => key);

describe('cases that are shared out over machines', () => {
  it('are all measured, each subject on one machine alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (count) => {
        const shards = Array.from({ length: count }, (_, at) => casesOfShard(cases, { index: at + 1, count }));
        const measured = shards.flatMap((own) => keys(own.filter(({ service }) => service.role === 'subject')));
        expect(measured.sort()).toEqual(keys(subjects).sort());
      }),
      { seed: 20261121 },
    );
  });

  it('differ by one at most from machine to machine', () => {
    const sizes = [1, 2, 3].map((index) => casesOfShard(subjects, { index, count: 3 }).length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });

  it('have the reference beside them everywhere', () => {
    for (const index of [1, 2]) {
      const own = casesOfShard(cases, { index, count: 2 }).filter(({ service }) => service.name === 'nginx');
      expect(keys(own)).toEqual(keys(cases.filter(({ service }) => service.name === 'nginx')));
    }
  });

  it('are of all services on each machine where every service has as many at least', () => {
    const of = (name: string) => cases.filter(({ service }) => service.name === name);
    const few = [...of('go').slice(0, 2), ...of('node').slice(0, 2), ...of('nginx')];
    expect([1, 2, 3].map((count) => eachHasAllServices(few, count))).toEqual([true, true, false]);
    expect(eachHasAllServices([...of('go').slice(0, 1), ...of('node').slice(0, 1)], 2)).toBe(false);
    expect(eachHasAllServices(of('go'), 64)).toBe(true);
  });

  it('need no more machines than there are of them', () => {
    expect([usefulShards(subjects, 4), usefulShards(subjects.slice(0, 3), 4), usefulShards([], 4)]).toEqual([4, 3, 1]);
  });
});
