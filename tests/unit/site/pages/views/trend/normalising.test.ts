import { describe, expect, it } from 'vitest';
import { referenceOf } from '../../../../../../src/site/pages/views/trend/normalising.ts';

const caseOf = (service: string, end: string, rate: number | null = null) => ({
  key: `${service}/ping/direct/k6/keep-alive/${end}`,
  service,
  endpoint: 'ping',
  load: { route: 'direct', generator: 'k6', keepAlive: true, connections: 100, rate } as const,
  reference: service === 'nginx',
});

describe('the reference of a case', () => {
  it('was loaded at the same share of its own capacity', () => {
    const cases = [
      caseOf('nginx', '100@60%', 9000),
      caseOf('go', '100@60%', 3000),
      caseOf('nginx', '100@80%', 12_000),
      caseOf('go', '100@80%', 4000),
      caseOf('go', '100@vus'),
    ];
    expect(cases.map((_, place) => referenceOf(cases, place))).toEqual([null, 0, null, 2, null]);
  });

  it('was loaded as fast as can be where the case was', () => {
    const cases = [caseOf('nginx', '100@2000ps', 2000), caseOf('nginx', '100@vus'), caseOf('go', '100@vus')];
    expect(referenceOf(cases, 2)).toBe(1);
  });
});
