import { describe, expect, it } from 'vitest';
import { caseWeight } from '../../../src/core/comparison/compared-metric.ts';
import type { GeneratorName } from '../../../src/core/generators/registry.ts';

const weightOf = (key: string, generator: GeneratorName = 'wrk') =>
  caseWeight({ generator, key: `node/ping/direct/${generator}/${key}` });

describe('the weight of a case in its endpoint', () => {
  it('is 1 of a closed loop with 100 connections or fewer', () => {
    for (const connections of [1, 10, 100]) expect(weightOf(`keep-alive/${connections}`)).toBe(1);
  });

  it('falls with connections: a quarter with ten times as many', () => {
    expect(weightOf('keep-alive/1000')).toBeCloseTo(0.251, 3);
    expect(weightOf('keep-alive/10000')).toBeCloseTo(0.063, 3);
  });

  it('is 1.3 times as much without keep-alive', () => {
    expect(weightOf('keep-alive-off/100')).toBe(1.3);
    expect(weightOf('keep-alive-off/1000')).toBeCloseTo(0.327, 3);
  });

  it('is 4 of a fixed rate, whatever its connections', () => {
    expect(weightOf('keep-alive/50@60%', 'k6')).toBe(4);
    expect(weightOf('keep-alive/1000@2000', 'h2load')).toBe(4);
  });

  it('is 1 of a closed loop that gates nothing', () => {
    expect(weightOf('keep-alive/1000', 'ab')).toBe(1);
  });
});
