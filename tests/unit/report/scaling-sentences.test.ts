import { describe, expect, it } from 'vitest';
import { keepAliveCounterparts } from '../../../src/core/report/analysis/counterparts.ts';
import { scalings } from '../../../src/core/report/analysis/scaling.ts';
import { inlineText } from '../../../src/core/report/inline-text.ts';
import { keepAliveSentences, scalingSentences } from '../../../src/core/report/sections/scaling-sentences.ts';
import { viewOf } from '../../../src/core/report/view.ts';
import { fixtureRecord } from './fixture-records.ts';

type Figures = Record<string, number>;

/** The record of `apostol` with `go` alone in `ping` with keep-alive, and these figures of 100 and of 1,000 connections. */
function sentences(few: Figures, many: Figures, change: (record: ReturnType<typeof fixtureRecord>) => void = () => {}) {
  const record = fixtureRecord('apostol');
  record.cases = record.cases.filter(({ key }) => key.startsWith('go/ping/direct/wrk/keep-alive/'));
  for (const each of record.cases) {
    const figures = each.connections === 100 ? few : many;
    each.metrics = Object.fromEntries(
      Object.entries(figures).map(([name, value]) => [name, { value, unit: '', samples: [] }]),
    );
  }
  change(record);
  return scalings(viewOf(record).tests).flatMap(scalingSentences).map(inlineText);
}

describe('the scaling in words', () => {
  it('says what becomes of throughput, p99 and memory from the fewest to the most connections', () => {
    const few = { throughput: 114_873, 'latency-p99': 3.1, 'memory-peak': 14 * 1024 ** 2 };
    expect(sentences(few, { throughput: 111_427, 'latency-p99': 31, 'memory-peak': 21 * 1024 ** 2 })).toEqual([
      'From 100 to 1,000 connections go keeps 97% of its throughput; its p99 grows from 3.10 ms to 31.00 ms (10.0x); ' +
        'its memory grows from 14.0 MiB to 21.0 MiB.',
    ]);
    expect(sentences(few, { throughput: 344_619, 'latency-p99': 3.15, 'memory-peak': 10 * 1024 ** 2 })).toEqual([
      'From 100 to 1,000 connections go answers 3.0x as many requests; its p99 stays at 3.15 ms; ' +
        'its memory falls from 14.0 MiB to 10.0 MiB.',
    ]);
  });

  it.each([
    [1000, 'keeps its throughput'],
    [1050, 'keeps its throughput'],
    [1120, 'answers 12% more requests'],
    [2000, 'answers 2.0x as many requests'],
    [990, 'keeps 99% of its throughput'],
    [500, 'keeps 50% of its throughput'],
    [120, 'falls to 12% of its throughput'],
    [0, 'falls to 0% of its throughput'],
  ])('of 1,000 requests/s that become %d: %s', (throughput, words) => {
    expect(sentences({ throughput: 1000 }, { throughput })).toEqual([`From 100 to 1,000 connections go ${words}.`]);
  });

  it('says nothing of what was not measured, or is invalid at one end', () => {
    expect(sentences({ throughput: 0 }, { throughput: 10 })).toEqual([]);
    const invalid = (record: ReturnType<typeof fixtureRecord>) => {
      record.cases[0]!.status = 'invalid';
    };
    expect(sentences({ throughput: 1000 }, { throughput: 1000 }, invalid)).toEqual([]);
  });
});

describe('what keep-alive is worth', () => {
  const worth = (record: ReturnType<typeof fixtureRecord>) =>
    keepAliveSentences(keepAliveCounterparts(viewOf(record).tests.filter(({ endpoint }) => endpoint === 'ping'))).map(
      inlineText,
    );

  it('is said of each service over all numbers of connections', () => {
    expect(worth(fixtureRecord('apostol'))).toEqual([
      'With keep-alive nginx answers 6.8x as many requests at 100 connections and 8.2x at 1,000 connections.',
      'With keep-alive apostol-v2 answers 3.6x as many requests at 100 connections and 3.1x at 1,000 connections.',
      'With keep-alive go answers 13.1x as many requests at 100 connections and 4.5x at 1,000 connections.',
      'With keep-alive apostol-v1 answers 9.2x as many requests at 100 connections and 3.7x at 1,000 connections.',
      'With keep-alive nodejs answers 8.6x as many requests at 100 connections and 5.7x at 1,000 connections.',
      'With keep-alive python answers 43% as many requests at 100 connections and 2.0x at 1,000 connections.',
    ]);
  });

  it('says what a request costs, where CPU time was measured and differs', () => {
    const record = fixtureRecord('apostol');
    record.cases = record.cases.filter(({ service, connections }) => service === 'go' && connections === 100);
    for (const each of record.cases) {
      const value = each.keepAlive ? 12 : 41.2;
      each.metrics['cpu-per-request'] = { value, unit: 'us', samples: [] };
    }
    expect(worth(record)).toEqual([
      'With keep-alive go answers 13.1x as many requests at 100 connections; a request costs 12.0 µs of CPU time instead of 41.2 µs (100 connections).',
    ]);
  });
});
