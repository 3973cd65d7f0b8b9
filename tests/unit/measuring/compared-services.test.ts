import { describe, expect, it } from 'vitest';
import { comparedCases, comparedServices } from '../../../src/app/measuring/compared-services.ts';
import { casesOf } from '../../../src/core/config/case.ts';
import { smallSpec } from '../support/comparing.ts';

const gateway = { kind: 'nginx' as const, image: 'nginx:1.29' };
const two = { ...smallSpec([{}, { name: 'news', path: '/news' }]), gateway };
const shown = (baseline: typeof two) =>
  comparedCases(casesOf(two), baseline).map(({ endpoint, route }) => `${endpoint.name} ${route}`);

describe('the cases that are compared', () => {
  it('are those whose endpoint and route the baseline has too', () => {
    expect(shown(two)).toEqual(['ping direct', 'ping gateway', 'news direct', 'news gateway']);
    expect(shown({ ...two, gateway: null } as unknown as typeof two)).toEqual(['ping direct', 'news direct']);
    expect(shown({ ...smallSpec(), gateway })).toEqual(['ping direct', 'ping gateway']);
  });
});

describe('a case of an endpoint that the service of the baseline did not have', () => {
  it('is new, although another service had it', () => {
    const [service] = two.services;
    expect(shown({ ...two, services: [{ ...service!, endpoints: ['ping'] }] })).toEqual([
      'ping direct',
      'ping gateway',
    ]);
  });
});

describe('the services that are compared', () => {
  it('are the baseline’s own of those that the candidate has, without references', () => {
    const candidate = smallSpec([{}], ['go', 'nginx', 'rust']);
    const baseline = smallSpec([{}], ['nginx', 'go', 'node']);
    expect(comparedServices(candidate.services, baseline)).toEqual([baseline.services[1]]);
  });
});
