import { describe, expect, it } from 'vitest';
import type { PublishedAnchor } from '../../../../../../src/core/record/run-record.ts';
import type { Line } from '../../../../../../src/site/pages/views/trend/model.ts';
import { anchorLines } from '../../../../../../src/site/pages/views/trend/since-anchor.ts';

const metric = { name: 'cpu-per-request', title: 'CPU per request', unit: 'us', better: 'lower' as const };
const lineOf = (endpoint: string, connections: number, service = 'go') =>
  ({
    title: `${endpoint}, ${connections}`,
    case: { key: `${service}/${endpoint}/direct/wrk/keep-alive/${connections}`, service, endpoint },
  }) as Line;
const row = (key: string, found: PublishedAnchor['changes'][number]['metrics'][string], name = metric.name) => {
  const [service = '', endpoint = ''] = key.split('/');
  return { key, service, endpoint, metrics: { [name]: found } };
};
const said = (changes: PublishedAnchor['changes'], ...lines: Line[]) =>
  anchorLines({ name: 'v1.0', sha: null, changes }, { lines, metric });

describe('how far a trend is from its anchor', () => {
  it('is said once of each endpoint in the chart, however many of its cases are', () => {
    const changes = [
      row('go/ping/*', { change: 0.12, accepted: 0.08, runs: 3 }),
      row('go/items/*', { change: -0.004 }),
    ];
    expect(said(changes, lineOf('ping', 16), lineOf('ping', 100))).toEqual([
      'go · ping: +12.0 %, of which +8.0 % was accepted (3 runs)',
    ]);
    expect(said(changes, lineOf('ping', 16), lineOf('items', 16))).toEqual([
      'go · ping: +12.0 %, of which +8.0 % was accepted (3 runs)',
      'go · items: -0.40 %',
    ]);
  });

  it('names what crept in', () => {
    expect(said([row('go/ping/*', { change: 0.12, crept: true })], lineOf('ping', 16))).toEqual([
      'go · ping: +12.0 %; crept in, though no run was red',
    ]);
    const both = { change: 0.12, accepted: 0.05, runs: 1, crept: true as const };
    expect(said([row('go/ping/*', both)], lineOf('ping', 16))).toEqual([
      'go · ping: +12.0 %, of which +5.0 % was accepted (1 run); crept in, though no run was red',
    ]);
  });

  it('is of a case that is judged by itself, by the name of its line', () => {
    const changes = [row('go/ping/direct/wrk/keep-alive/16', { change: 0.02 })];
    expect(said(changes, lineOf('ping', 16), lineOf('ping', 100))).toEqual(['ping, 16: +2.0 %']);
  });

  it('is said of each limit where cases of an endpoint have several', () => {
    const changes = [row('go/ping/*@3%', { change: 0.02 }), row('go/ping/*@10%', { change: 0.05 })];
    expect(said(changes, lineOf('ping', 16))).toEqual([
      'go · ping, cases limited to 3%: +2.0 %',
      'go · ping, cases limited to 10%: +5.0 %',
    ]);
  });

  it('is nothing of another metric, service or endpoint', () => {
    const changes = [row('go/ping/*', { change: 0.12 }, 'throughput'), row('node/ping/*', { change: 0.12 })];
    expect(said(changes, lineOf('ping', 16))).toEqual([]);
    expect(said([row('go/items/*', { change: 0.1 })], lineOf('ping', 16))).toEqual([]);
  });
});
