import { describe, expect, it } from 'vitest';
import { caseOfAllCpus } from '../../../src/app/measuring/side-by-side/all-cpus.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { planOf } from '../../../src/core/plan/plan.ts';

const casesOf = (cpus: string, load = 'wrk: {connections: [2, 8, 1000]}\n  k6: {rate: 60%}') => {
  const text = `name: shop
services: {web: {build: ., port: 80${cpus}}}
endpoints: {home: /, orders: /orders}
load:
  ${load}
`;
  return planOf(readSpec(text, 'wrkbench.yml'), { seed: 0 }).services[0]!.cases;
};
const placed = (service: string) => ({ service, database: service, generator: '4' });
const keyOf = (round: number, service: string, cpus = '') => caseOfAllCpus(casesOf(cpus), round, placed(service))?.key;

describe('the case that each side is loaded with by itself', () => {
  it('is of another endpoint in each round, with connections enough for all CPUs', () => {
    expect([1, 2, 3].map((round) => keyOf(round, '0-3'))).toEqual([
      'web/home/direct/wrk/keep-alive/8',
      'web/orders/direct/wrk/keep-alive/8',
      'web/home/direct/wrk/keep-alive/8',
    ]);
    expect(keyOf(1, '0-1')).toBe('web/home/direct/wrk/keep-alive/8');
  });

  it('has the most connections there are where none are enough', () => {
    const cases = casesOf('', 'wrk: {connections: [2]}');
    expect(caseOfAllCpus(cases, 1, placed('0-3'))?.key).toBe('web/home/direct/wrk/keep-alive/2');
  });

  it('is none where the service has one CPU, or the time of one', () => {
    expect(keyOf(1, '0')).toBeUndefined();
    expect(keyOf(1, '0-3', ', cpus: 1')).toBeUndefined();
    expect(keyOf(1, '0-3', ', cpus: 2')).toBe('web/home/direct/wrk/keep-alive/8');
  });

  it('is none without a closed loop', () => {
    expect(caseOfAllCpus(casesOf('', 'k6: {rate: 60%}'), 1, placed('0-3'))).toBeNull();
    expect(caseOfAllCpus([], 1, placed('0-3'))).toBeNull();
  });
});
