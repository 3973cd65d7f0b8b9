import { describe, expect, it } from 'vitest';
import { heatMaps } from '../../../../src/core/report/analysis/heat-map.ts';
import { viewOf } from '../../../../src/core/report/view.ts';
import { fixtureRecord } from '../fixture-records.ts';

const stepsOf = (maps: ReturnType<typeof heatMaps>) =>
  maps[0]!.rows.map(({ endpoint, service, cells }) => [endpoint, service, ...cells.map((cell) => cell?.step ?? null)]);

describe('a heat map', () => {
  it('has a row for each endpoint and service, a column for each load, and seven steps of equal factors', () => {
    const maps = heatMaps(viewOf(fixtureRecord('apostol')), 'throughput');
    expect(maps).toHaveLength(1);
    expect(maps[0]!.logarithmic).toBe(true);
    expect(maps[0]!.loads.map(({ keepAlive, connections }) => `${keepAlive} ${connections}`)).toEqual([
      'true 100',
      'true 1000',
      'false 100',
      'false 1000',
    ]);
    expect(stepsOf(maps).slice(0, 3)).toEqual([
      ['ping', 'nginx', 7, 7, 5, 5],
      ['ping', 'apostol-v2', 6, 6, 5, 5],
      ['ping', 'go', 5, 5, 2, 3],
    ]);
  });

  it('is one for each generator, whose latencies are not the same thing', () => {
    expect(heatMaps(viewOf(fixtureRecord('compared')), 'latency-p50').map(({ generator }) => generator)).toEqual([
      'wrk',
      'k6',
    ]);
  });

  it('gives an invalid figure no step, and counts it for nothing', () => {
    const maps = heatMaps(viewOf(fixtureRecord('troubled')), 'throughput');
    const cells = maps.flatMap(({ rows }) => rows.flatMap(({ cells: own }) => own.flatMap((cell) => cell ?? [])));
    const invalid = cells.filter(({ entry }) => !entry.valid);
    expect(invalid.length).toBeGreaterThan(0);
    expect(invalid.map(({ step }) => step)).toEqual(invalid.map(() => null));
  });

  it('is none of a metric that nobody has', () => {
    expect(heatMaps(viewOf(fixtureRecord('apostol')), 'memory-peak')).toEqual([]);
  });
});
