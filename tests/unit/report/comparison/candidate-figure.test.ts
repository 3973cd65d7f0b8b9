import { describe, expect, it } from 'vitest';
import { candidateFigure } from '../../../../src/core/comparison/candidate-figure.ts';
import { changeSentence } from '../../../../src/core/comparison/sentences.ts';
import { limitFigure } from '../../../../src/core/report/comparison/change-figures.ts';
import { changePhrase } from '../../../../src/core/report/comparison/metric-words.ts';
import { costlier, cpu, queries, throughput } from './made-up.ts';

describe("the candidate's figure beside a change", () => {
  it("is the baseline's times the change where both were loaded", () => {
    expect(candidateFigure(cpu({ baseline: 719, candidate: 679, change: 0.184 }))).toBeCloseTo(851.3);
  });

  it('is its own of exact counts, of stored runs, and where there is no change', () => {
    expect(candidateFigure(queries(4, 5, { change: 0.5 }))).toBe(5);
    const stored = { mode: 'stored', rounds: 12, pairs: 0, note: null } as const;
    expect(candidateFigure(throughput({ candidate: 47_000, change: -0.5, evidence: stored }))).toBe(47_000);
    expect(candidateFigure(cpu({ candidate: 413, change: null }))).toBe(413);
    expect(candidateFigure(cpu({ baseline: null, candidate: 413, change: null }))).toBe(413);
    expect(candidateFigure(cpu({ candidate: null, change: null }))).toBeNull();
  });

  it('stands in sentences', () => {
    const metric = { title: 'CPU', unit: 'us', better: 'lower' } as const;
    expect(changeSentence(metric, costlier)).toBe('CPU: +6.1% (+4.4% … +7.8%), 412 µs → 437 µs; limit +3.0%');
    const errors = cpu({ unit: '', baseline: 0.01, candidate: 0.008, change: 0.5, verdict: 'regression' });
    expect(changePhrase('errors', errors)).toBe('fails 1.5% of its requests instead of 1.0%');
  });

  it('leaves a limit of the level beside the figure that breaks it', () => {
    const broken = cpu({ ...costlier, brokenLimit: { kind: 'max', value: 400 } });
    expect(limitFigure('cpu-per-request', broken)).toBe('+3 %, at most 400 µs (published: 405 µs)');
    expect(changePhrase('cpu-per-request', { ...broken, verdict: null })).toBe(
      'has CPU at 405 µs, over its limit of 400 µs',
    );
  });
});
