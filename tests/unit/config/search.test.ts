import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../src/core/config/read.ts';
import { quickened } from '../../../src/core/config/selection.ts';
import { diagnosticLines, leastWith } from './specs.ts';

const searchOf = (search: string) => readSpec(leastWith(`search: ${search}\n`), 'wrkbench.yml').search;
const wrong = (search: string) => diagnosticLines(leastWith(`search: ${search}\n`));

describe('a search', () => {
  it('is absent where none is written', () => {
    expect(Object.keys(readSpec(leastWith(''), 'wrkbench.yml'))).not.toContain('search');
  });

  it('has its defaults filled in', () => {
    const usual = { endpoint: null, from: 1000, to: 50_000, connections: 100, durationSeconds: 5, precision: 0.05 };
    const limits = { p99Ms: null, errorShare: 0.001 };
    expect(searchOf('{from: 1000, to: 50000}')).toEqual({ ...usual, find: 'rate', generator: 'k6', limits });
    expect(searchOf('{find: connections, from: 1000, to: 50000}')).toEqual({
      ...{ ...usual, find: 'connections', generator: 'wrk', limits },
    });
  });

  it('is what is written', () => {
    const written =
      '{endpoint: ping, generator: h2load, from: 10, to: 20, connections: 8, duration: 300ms, limits: {p99: 50ms, errors: 1%}, precision: 2%}';
    expect(searchOf(written)).toEqual({
      ...{ find: 'rate', endpoint: 'ping', generator: 'h2load', from: 10, to: 20, connections: 8 },
      ...{ durationSeconds: 0.3, limits: { p99Ms: 50, errorShare: 0.01 }, precision: 0.02 },
    });
  });

  it('is short and coarse where a glance will do', () => {
    const spec = readSpec(leastWith('search: {from: 10, to: 20, duration: 30s, precision: 1%}\n'), 'wrkbench.yml');
    expect(quickened(spec).search).toEqual({ ...spec.search, durationSeconds: 2, precision: 0.2 });
  });

  it.each([
    ['{from: 20, to: 20}', '6:24: search.to is 20: expected more than search.from, which is 20'],
    ['{find: connections, from: 2, to: 65537}', '6:42: search.to is 65537: expected 65536 connections at most'],
    [
      '{from: 2, to: 9, generator: wrk}',
      '6:37: search.generator is wrk, which cannot find a rate: expected k6 or h2load',
    ],
    [
      '{find: connections, from: 2, to: 9, generator: k6}',
      '6:56: search.generator is k6, which cannot find connections: expected wrk',
    ],
    [
      '{find: connections, from: 2, to: 9, connections: 7}',
      '6:45: search.connections has no effect beside `find: connections`: from and to say how many are tried',
    ],
    [
      '{from: 2, to: 9, endpoint: pong}',
      '6:36: search.endpoint is `pong`, which endpoints does not have: expected ping',
    ],
    [
      '{from: 2, to: 9, duration: 500ms}',
      '6:36: search.duration is `500ms`: expected at least 1s for k6, and 1h at most',
    ],
    ['{from: 2, to: 9, generator: h2load, duration: 50ms}', '6:55: search.duration is `50ms`: expected 100ms to 1h'],
    ['{from: 2, to: 9, precision: 0.5%}', '6:37: search.precision is `0.5%`: expected 1% to 100%'],
    ['{from: 2, to: 9, limits: {p99: 0s}}', '6:40: search.limits.p99 is `0s`: expected more than 0s'],
    ['{from: 2, to: 9, limits: {errors: 100%}}', '6:43: search.limits.errors is `100%`: expected less than 100%'],
  ])('%s', (search, expected) => {
    expect(wrong(search)).toEqual([expected]);
  });

  it('is done by a generator that every service understands', () => {
    const text = leastWith('load: {h2load: on}\nsearch: {from: 2, to: 9}\n').replace(
      'port: 8080',
      'port: 8080, protocol: h2',
    );
    expect(diagnosticLines(text)).toEqual([
      '3:40: services.go.protocol is h2, which k6 of the search cannot speak: expected `search: {find: rate, generator: h2load}`, or h1',
    ]);
  });
});
