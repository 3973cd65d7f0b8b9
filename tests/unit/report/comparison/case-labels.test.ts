import { describe, expect, it } from 'vitest';
import { caseLabels } from '../../../../src/core/report/comparison/case-labels.ts';
import { caseOf, comparisonOf, cpu } from './made-up.ts';

const memory = (limit: number) =>
  cpu({ unit: 'bytes', threshold: { kind: 'ratio', value: limit }, baseline: 2 ** 25, candidate: 2 ** 25 });
const whole = (key: string, limit: number) => caseOf(key, { 'memory-peak': memory(limit) }, { endpoint: '*' });
const labelsOf = (...services: ReturnType<typeof whole>[]) => caseLabels(comparisonOf([], { services }), null);

describe('how a whole service is called', () => {
  it('is by its name, and that all cases are meant', () => {
    const labels = labelsOf(whole('go/*', 0.1));
    expect([labels.of('go/*'), labels.short('go/*')]).toEqual(['go · all cases', 'go']);
  });

  it('is by their limit where there are several', () => {
    const labels = labelsOf(whole('go/*@50%', 0.5), whole('go/*@5%', 0.05));
    expect([labels.of('go/*@50%'), labels.of('go/*@5%')]).toEqual([
      'go · cases limited to +50 %',
      'go · cases limited to +5 %',
    ]);
    expect(labels.short('go/*@5%')).toBe('go · cases limited to +5 %');
  });
});
