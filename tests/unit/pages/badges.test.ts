import { describe, expect, it } from 'vitest';
import { badgeSvg } from '../../../src/core/pages/badge-svg.ts';
import { badgeFiles, badgesOf } from '../../../src/core/pages/badges.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const record = madeUpRecord({
  scatter: 0,
  drift: 0,
  cases: [
    { connections: 100 },
    { connections: 1000, levels: { throughput: 31_000, 'cpu-per-request': 38.4, 'latency-p99': 80 } },
    { generator: 'k6', levels: { throughput: 9_000, 'latency-p99': 1.9 } },
    { endpoint: 'users', levels: { throughput: 90_000 } },
  ],
});
const messages = (...given: Parameters<typeof badgesOf>) =>
  badgesOf(...given).map(({ name, message }) => `${name}: ${message}`);

describe('badges', () => {
  it('are of the fastest case of the first endpoint, its tail of the one at a fixed rate', () => {
    expect(badgesOf(record, true).map(({ title }) => title)).toEqual([
      'rest-api: benchmark passed',
      'rest-api: throughput 31,000 req/s (go/ping/direct/wrk/keep-alive/1000)',
      'rest-api: CPU per request 38.4 µs (go/ping/direct/wrk/keep-alive/1000)',
      'rest-api: p99 latency 1.90 ms (go/ping/direct/k6/keep-alive/100@60%)',
    ]);
  });

  it('say what the run came to', () => {
    expect([true, false, null].map((passed) => messages(record, passed)[0])).toEqual([
      'verdict: passed',
      'verdict: failed',
      'verdict: measured',
    ]);
  });

  it('show no figure that was not measured', () => {
    const invalid = madeUpRecord({ cases: [{ invalid: { candidate: 'errors' } }] });
    expect(messages(invalid, null)).toEqual([
      'verdict: measured',
      'throughput: not measured',
      'cpu-per-request: not measured',
      'p99: not measured',
    ]);
    const without = madeUpRecord({ scatter: 0, drift: 0, cases: [{ generator: 'ab' }] });
    expect(messages(without, null)).toEqual([
      'verdict: measured',
      'throughput: 8,000 req/s',
      'cpu-per-request: not measured',
      'p99: not measured',
    ]);
  });

  it('stay those of an earlier run where nothing was measured, but for the verdict of one that failed', () => {
    const there = badgeFiles(record, true).map(({ path }) => path);
    const nothing = { ...record, cases: [] };
    const names = (...given: Parameters<typeof badgeFiles>) =>
      badgeFiles(...given).flatMap(({ path }) => /badges\/(.+)\.svg$/.exec(path)?.[1] ?? []);
    expect(names(nothing, true, there)).toEqual([]);
    expect(names(nothing, null, there)).toEqual([]);
    expect(names(nothing, false, there)).toEqual(['verdict']);
    expect(names(nothing, true, [])).toEqual(['verdict', 'throughput', 'cpu-per-request', 'p99']);
    expect(names(record, true, there)).toEqual(['verdict', 'throughput', 'cpu-per-request', 'p99']);
  });

  it('are a picture and a file for badge services each', async () => {
    const files = new Map(badgeFiles(record, false).map(({ path, content }) => [path, content]));
    expect([...files.keys()]).toEqual(
      ['verdict', 'throughput', 'cpu-per-request', 'p99'].flatMap((name) => [
        `wrkbench/rest-api/badges/${name}.svg`,
        `wrkbench/rest-api/badges/${name}.json`,
      ]),
    );
    expect(files.get('wrkbench/rest-api/badges/verdict.json')).toBe(
      '{"schemaVersion":1,"label":"benchmark","message":"failed","color":"#b3261e"}\n',
    );
    await expect(files.get('wrkbench/rest-api/badges/verdict.svg')).toMatchFileSnapshot('__snapshots__/verdict.svg');
  });

  it('hold nothing of a name that acts', () => {
    const svg = badgeSvg({ name: 'x', label: '<script>', message: '"&\'', colour: '#000', title: 'a"onload="b<c>' });
    expect(svg).not.toMatch(/<script|onload="/);
    expect(svg).toContain('aria-label="a&quot;onload=&quot;b&lt;c&gt;"');
    expect(svg).toContain('>&quot;&amp;&#39;</text>');
  });
});
