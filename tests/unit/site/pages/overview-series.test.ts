import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../../src/core/publication/manifest.ts';
import { emptyManifest } from '../../../../src/core/publication/pages-files.ts';
import { pieceOf, type RunRow, type SeriesPoint } from '../../../../src/core/publication/series-rows.ts';
import { entriesOf } from '../../../../src/site/pages/data/entries.ts';
import { overviewSeries } from '../../../../src/site/pages/overview-series.ts';
import type { RunEntry } from '../../../../src/site/pages/view.ts';

const caseOf = (service: string) => ({
  key: `${service}/ping/direct/wrk/keep-alive/100`,
  service,
  endpoint: 'ping',
  load: { route: 'direct', generator: 'wrk', keepAlive: true, connections: 100, rate: null } as const,
  reference: service === 'nginx',
});

const manifest: Manifest = {
  ...emptyManifest({ specName: 'rest-api', tool: '0.1.0', server: null, repository: null }),
  cases: [caseOf('nginx'), caseOf('go'), caseOf('rust')],
  metrics: [
    { name: 'latency-p99', title: 'Latency, p99', unit: 'ms', better: 'lower' },
    { name: 'throughput', title: 'Throughput', unit: 'req/s', better: 'higher' },
  ],
};

const point = (value: number | null, status: SeriesPoint['status'] = null): SeriesPoint => ({
  ...{ value, status, change: null, low: null, high: null, verdict: null },
});

/** A run a day, of the figures of each. */
function runsOf(...ofRuns: readonly Readonly<Record<string, SeriesPoint>>[]): RunEntry[] {
  const rows = ofRuns.map(
    (points, day): RunRow => ({
      id: `2026110${day + 1}-101500-0a1b2c`,
      ...{ sha: null, workflowRun: null, pullRequest: null, release: null, cpu: 'any', passed: null, mode: null },
      ...{ anchor: null, imported: false, accepted: [], points: new Map(Object.entries(points)) },
    }),
  );
  return entriesOf(pieceOf(rows), manifest);
}

describe('the series in the list of all specs', () => {
  it('is the throughput of the first case that is no reference', () => {
    const runs = runsOf(
      { '0.1': point(90), '1.1': point(50) },
      { '0.1': point(91), '1.1': point(51), '1.0': point(3) },
    );
    expect(overviewSeries(manifest, runs)).toEqual({
      case: manifest.cases[1],
      metric: manifest.metrics[1],
      values: [50, 51],
    });
  });

  it('is of a case that the newest run measured', () => {
    const runs = runsOf({ '1.1': point(50), '2.1': point(60) }, { '2.1': point(61) });
    expect(overviewSeries(manifest, runs)).toMatchObject({ case: manifest.cases[2], values: [60, 61] });
  });

  it('is of the newest run that measured where newer ones found nothing to measure, or failed', () => {
    const removed = { '1.1': point(50), '2.1': point(60) };
    for (const empty of [{}, { '1.1': point(null, 'invalid') }]) {
      const runs = runsOf(removed, { '2.1': point(61) }, empty, empty);
      expect(overviewSeries(manifest, runs)).toMatchObject({ case: manifest.cases[2], values: [60, 61] });
    }
  });

  it('is of another metric where the newest run has no throughput, as after an import', () => {
    const imported = runsOf({ '2.0': point(3) }, { '2.0': point(4) });
    expect(overviewSeries(manifest, imported)).toEqual({
      case: manifest.cases[2],
      metric: manifest.metrics[0],
      values: [3, 4],
    });
  });

  it('has no figure of an invalid case, or of one whose generator was the limit', () => {
    const runs = runsOf(
      { '1.1': point(50) },
      { '1.1': point(51) },
      { '1.1': point(8, 'generator-bound') },
      { '1.1': point(7, 'invalid') },
    );
    expect(overviewSeries(manifest, runs)?.values).toEqual([50, 51]);
  });

  it('is none where the spec has no case', () => {
    expect(overviewSeries({ ...manifest, cases: [] }, [])).toBeNull();
  });
});
