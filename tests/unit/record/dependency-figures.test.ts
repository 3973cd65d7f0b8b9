import { describe, expect, it } from 'vitest';
import { dependencyFigures } from '../../../src/core/record/dependency-figures.ts';
import { healthyTrial } from '../support/trials.ts';

describe('what each dependency used', () => {
  const plain = healthyTrial();
  const requests = plain.outcome!.requests!;
  const trial = (redisUs: number, peak: number) =>
    healthyTrial({
      cpu: { ...plain.cpu, dependenciesNs: { redis: requests * redisUs * 1000, search: 0 } },
      memory: { ...plain.memory, dependencyPeakBytes: { redis: peak, search: 5 } },
    });

  it('is the median of its CPU time per request, and the highest peak of its memory', () => {
    expect(dependencyFigures([trial(10, 100), trial(30, 300), trial(11, 200)])).toEqual({
      dependencies: {
        redis: { cpuPerRequestUs: 11, memoryPeakBytes: 300 },
        search: { cpuPerRequestUs: 0, memoryPeakBytes: 5 },
      },
    });
  });

  it('is left out of a record without any', () => {
    expect(dependencyFigures([plain])).toEqual({});
    expect(dependencyFigures([])).toEqual({});
  });
});
