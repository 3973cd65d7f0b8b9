import { describe, expect, it } from 'vitest';
import { pieceOf, type RunRow } from '../../../../src/core/publication/series-rows.ts';
import { usualCase, usualSeries } from '../../../../src/site/pages/usual-case.ts';

const caseOf = (service: string, endpoint: string) => ({
  ...{ key: `${service}/${endpoint}`, service, endpoint, load: null, reference: service === 'nginx' },
});
const cases = [caseOf('nginx', 'ping'), caseOf('go', 'old'), caseOf('go', 'ping'), caseOf('go', 'users')];

/** A run in which these series have a figure, behind one that has all of them. */
function newestOf(figures: Readonly<Record<string, number | null>>) {
  const row = (id: string, values: Readonly<Record<string, number | null>>): RunRow => ({
    ...{ id, sha: null, workflowRun: null, pullRequest: null, release: null, cpu: 'any', passed: null, mode: null },
    ...{ anchor: null, imported: false, accepted: [] },
    points: new Map(
      Object.entries(values).map(([series, value]) => [
        series,
        { value, status: value === 0 ? 'invalid' : null, change: null, low: null, high: null, verdict: null },
      ]),
    ),
  });
  const all = Object.fromEntries(cases.flatMap((_, place) => [0, 1].map((metric) => [`${place}.${metric}`, 1])));
  return { piece: pieceOf([row('20261101-101500-0a1b2c', all), row('20261102-101500-0a1b2c', figures)]), place: 1 };
}

describe('the case that is shown where none is asked for', () => {
  it('is the first one of which the newest run has the metric, and no reference', () => {
    const newest = newestOf({ '0.0': 1, '2.0': 1, '3.0': 1, '3.1': 1 });
    expect(usualCase(cases, 0, newest)).toBe(2);
    expect(usualCase(cases, 1, newest)).toBe(3);
  });

  it('may have been invalid in that run', () => {
    expect(usualCase(cases, 0, newestOf({ '1.0': null, '2.0': 0, '3.0': 1 }))).toBe(2);
  });

  it('is the first that was ever known where the newest run measured none, or there is no run', () => {
    expect(usualCase(cases, 0, newestOf({ '0.0': 1 }))).toBe(1);
    expect(usualCase(cases, 0, undefined)).toBe(1);
    expect(usualCase([cases[0]!], 0, undefined)).toBe(0);
  });
});

describe('the metric that is shown where none is asked for', () => {
  const metrics = ['p99', 'throughput', 'cpu'].map((name) => ({ name, title: name, unit: '', better: null }));
  const usual = (figures: Readonly<Record<string, number | null>>) =>
    usualSeries({ cases, metrics }, ['cpu', 'throughput'], newestOf(figures));

  it('is the first of the usual ones that the newest run measured', () => {
    expect(usual({ '1.0': 1, '1.1': 1, '2.2': 1 })).toEqual({ case: 2, metric: 2 });
    expect(usual({ '1.0': 1, '3.1': 1 })).toEqual({ case: 3, metric: 1 });
  });

  it('is what the newest run measured where that is none of them', () => {
    expect(usual({ '3.0': 1 })).toEqual({ case: 3, metric: 0 });
    expect(usual({ '0.1': 1, '3.0': 1 })).toEqual({ case: 3, metric: 0 });
  });

  it('is the first usual one that was ever known where there is no run', () => {
    expect(usualSeries({ cases, metrics }, ['memory', 'throughput'], undefined)).toEqual({ case: 1, metric: 1 });
    expect(usualSeries({ cases, metrics }, ['memory'], undefined)).toEqual({ case: 1, metric: 0 });
  });
});
