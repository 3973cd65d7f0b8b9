import { describe, expect, it } from 'vitest';
import { type CountedRequests, caseWeight, loadOf } from '../../../src/core/comparison/case-weight.ts';
import { casesOf } from '../../../src/core/config/case.ts';
import type { GeneratorName } from '../../../src/core/generators/registry.ts';
import { specWith } from '../plan/fixtures.ts';

const weightOf = (key: string, generator: GeneratorName = 'wrk', counted?: CountedRequests) =>
  caseWeight({ generator, key: `node/ping/direct/${generator}/${key}` }, counted);

describe('the weight of a case in its endpoint', () => {
  it('is 1 of a closed loop with 100 connections or fewer', () => {
    for (const counted of ['sent', 'answered'] as const) {
      for (const connections of [1, 10, 100]) expect(weightOf(`keep-alive/${connections}`, 'wrk', counted)).toBe(1);
    }
  });

  it('falls a little with connections where what was sent is counted, and not at all without keep-alive', () => {
    expect(weightOf('keep-alive/1000')).toBeCloseTo(0.631, 3);
    expect(weightOf('keep-alive/10000')).toBeCloseTo(0.398, 3);
    for (const connections of [10, 100, 1000]) expect(weightOf(`keep-alive-off/${connections}`)).toBe(1.5);
  });

  it('falls to a quarter with ten times as many where only what was answered is', () => {
    expect(weightOf('keep-alive/1000', 'h2load')).toBeCloseTo(0.251, 3);
    expect(weightOf('keep-alive/10000', 'h2load')).toBeCloseTo(0.063, 3);
    expect(weightOf('keep-alive-off/100', 'wrk', 'answered')).toBe(1.3);
    expect(weightOf('keep-alive-off/1000', 'wrk', 'answered')).toBeCloseTo(0.327, 3);
  });

  it('is 4 of a fixed rate, whatever its connections', () => {
    expect(weightOf('keep-alive/50@60%', 'k6')).toBe(4);
    expect(weightOf('keep-alive/1000@2000', 'h2load')).toBe(4);
  });

  it('is that of its connections of a closed loop whose key says so, as a plan makes it', () => {
    const keys = ['max', '60%'].flatMap((rate) =>
      casesOf(specWith(`{h2load: {rate: ${rate}, connections: [50, 1000]}}`)).filter(
        ({ endpoint }) => endpoint.name === 'ping',
      ),
    );
    expect(keys.map((each) => [each.key, caseWeight(each)])).toEqual([
      ['go/ping/direct/h2load/keep-alive/50@max', 1],
      ['go/ping/direct/h2load/keep-alive/1000@max', expect.closeTo(0.251, 3)],
      ['go/ping/direct/h2load/keep-alive/50@60%', 4],
      ['go/ping/direct/h2load/keep-alive/1000@60%', 4],
    ]);
  });

  it('is 1 of a closed loop that gates nothing', () => {
    expect(weightOf('keep-alive/1000', 'ab')).toBe(1);
  });
});

describe('the load of a case, by which it is like those of other endpoints', () => {
  const loadOfKey = (key: string, generator: GeneratorName) => loadOf({ service: 'node', generator, key });

  it('is all that its key says beside the endpoint', () => {
    expect(loadOfKey('node/users/direct/wrk/keep-alive/100', 'wrk')).toBe('node/direct/wrk/keep-alive/100');
  });

  it('is that there is a fixed rate, whatever rate an endpoint holds', () => {
    expect(loadOfKey('node/users/direct/k6/keep-alive/50@60%', 'k6')).toBe('node/direct/k6/keep-alive/fixed rate');
    expect(loadOfKey('node/ping/direct/k6/keep-alive/16@200', 'k6')).toBe('node/direct/k6/keep-alive/fixed rate');
  });
});
