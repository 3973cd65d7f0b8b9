import { describe, expect, it } from 'vitest';
import { blockMarkdown } from '../../../src/core/report/markdown/blocks.ts';
import { cost, pricePerMillion } from '../../../src/core/report/sections/cost.ts';
import { viewOf } from '../../../src/core/report/view.ts';
import { fixtureRecord } from './fixture-records.ts';

type Record = ReturnType<typeof fixtureRecord>;

/** Four services at 2,000/s by k6 over 100 connections: [CPU of a request in us, memory idle and at its peak in MiB, cores]. */
function atOneRate(): Record {
  const record = fixtureRecord('apostol');
  const figures: { [service: string]: [number, number, number, number] } = {
    nginx: [4, 5, 9, 0.008],
    go: [12.5, 10, 20, 0.025],
    nodejs: [50, 60, 90, 0.1],
    python: [400, 80, 120, 0.8],
  };
  record.cases = record.cases
    .filter(({ key, service }) => key.endsWith('/ping/direct/wrk/keep-alive/100') && service in figures)
    .map((each) => {
      const [cpu, idle, peak, cores] = figures[each.service]!;
      const metric = (value: number) => ({ value, unit: '', samples: [] });
      return {
        ...each,
        key: `${each.service}/ping/direct/k6/keep-alive/100@2000ps`,
        generator: 'k6' as const,
        rate: 2000,
        metrics: {
          throughput: metric(1999.6),
          'cpu-per-request': metric(cpu),
          'memory-idle': metric(idle * 1024 ** 2),
          'memory-peak': metric(peak * 1024 ** 2),
        },
        utilisation: { service: cores, database: 0, gateway: 0, generator: 0.2, own: 0, foreign: 0, steal: 0 },
      };
    });
  return record;
}

const text = (record: Record) => (cost(viewOf(record))?.blocks ?? []).map(blockMarkdown).join('\n\n');

describe('the cost at equal load', () => {
  it('is what each service needs, the least CPU time first, with the factors between them', () => {
    expect(text(atOneRate())).toMatchInlineSnapshot(`
      "Services that were sent requests at the same rate. CPU time is that of service and database; a connection costs what memory rises from idle to its peak, divided by the connections; factors are to the least in the table.

      **ping (GET /ping), keep-alive on, 100 connections at 2,000 requests/s:**

      | Service           | Requests per second | CPU per million requests | CPU factor | Peak memory | Memory factor | Memory per connection | RPS per core used | RPS per MiB |
      | ----------------- | ------------------: | -----------------------: | ---------: | ----------: | ------------: | --------------------: | ----------------: | ----------: |
      | nginx (reference) |               2,000 |                   4.00 s |      1.00x |    9.00 MiB |         1.00x |              41.0 KiB |           249,950 |         222 |
      | go                |               2,000 |                   12.5 s |       3.1x |    20.0 MiB |          2.2x |               102 KiB |            79,984 |         100 |
      | nodejs            |               2,000 |                   50.0 s |      12.5x |    90.0 MiB |         10.0x |               307 KiB |            19,996 |        22.2 |
      | python            |               2,000 |                    400 s |       100x |     120 MiB |         13.3x |               410 KiB |             2,499 |        16.7 |"
    `);
  });

  it('is that of dependencies too, where there are some', () => {
    const record = atOneRate();
    const dependencies = [{ name: 'redis' }] as NonNullable<Record['spec']['dependencies']>;
    expect(text({ ...record, spec: { ...record.spec, dependencies } })).toBe(
      text(record).replace('that of service and database;', 'that of service, database and dependencies;'),
    );
  });

  it('is said in money where the spec has a price, of one service as well', () => {
    const record = atOneRate();
    record.spec.price = { cpuHour: 0.04, gibHour: 0.005, currency: 'USD' };
    record.cases = record.cases.filter(({ service }) => service === 'go' || service === 'python');
    expect(text(record)).toMatchInlineSnapshot(`
      "Services that were sent requests at the same rate. CPU time is that of service and database; a connection costs what memory rises from idle to its peak, divided by the connections; factors are to the least in the table. The price is 0.0400 USD for each hour of that CPU time, and 0.00500 USD for each GiB of peak memory and hour that a million requests take at the rate.

      **ping (GET /ping), keep-alive on, 100 connections at 2,000 requests/s:**

      | Service | Requests per second | CPU per million requests | CPU factor | Peak memory | Memory factor | Memory per connection | RPS per core used | RPS per MiB | Price per million requests |
      | ------- | ------------------: | -----------------------: | ---------: | ----------: | ------------: | --------------------: | ----------------: | ----------: | -------------------------: |
      | go      |               2,000 |                   12.5 s |      1.00x |    20.0 MiB |         1.00x |               102 KiB |            79,984 |         100 |               0.000152 USD |
      | python  |               2,000 |                    400 s |      32.0x |     120 MiB |          6.0x |               410 KiB |             2,499 |        16.7 |                0.00453 USD |"
    `);
    record.cases = record.cases.slice(0, 1);
    expect(text(record)).toContain(' USD |');
  });

  it('in money is CPU time and memory by the hour, and nothing where a figure is missing', () => {
    const price = { cpuHour: 0.36, gibHour: 3.6 };
    // 10 s of CPU, and 2 GiB for the 1000 s that a million requests take.
    const known = { cpuUs: 10, memory: 2 * 1024 ** 3, perSecond: 1000 };
    expect(pricePerMillion(known, price)).toBeCloseTo(0.001 + 2, 12);
    expect(pricePerMillion(known, { ...price, gibHour: 0 })).toBeCloseTo(0.001, 12);
    for (const missing of ['cpuUs', 'memory', 'perSecond']) {
      expect(pricePerMillion({ ...known, [missing]: null }, price)).toBeNull();
    }
    expect(pricePerMillion({ ...known, perSecond: 0 }, price)).toBeNull();
  });

  it('leaves out what is invalid, and columns that nobody has a figure for', () => {
    const record = atOneRate();
    record.cases.find(({ service }) => service === 'nginx')!.status = 'invalid';
    for (const each of record.cases) {
      delete each.metrics['memory-idle'];
      each.utilisation = null;
    }
    expect(text(record)).toMatchInlineSnapshot(`
      "Services that were sent requests at the same rate. CPU time is that of service and database; a connection costs what memory rises from idle to its peak, divided by the connections; factors are to the least in the table.

      **ping (GET /ping), keep-alive on, 100 connections at 2,000 requests/s:**

      | Service | Requests per second | CPU per million requests | CPU factor | Peak memory | Memory factor | RPS per MiB |
      | ------- | ------------------: | -----------------------: | ---------: | ----------: | ------------: | ----------: |
      | go      |               2,000 |                   12.5 s |      1.00x |    20.0 MiB |         1.00x |         100 |
      | nodejs  |               2,000 |                   50.0 s |       4.0x |    90.0 MiB |          4.5x |        22.2 |
      | python  |               2,000 |                    400 s |      32.0x |     120 MiB |          6.0x |        16.7 |"
    `);
  });

  it('is of no closed loop, of no shares of capacities, and of no service by itself', () => {
    expect(cost(viewOf(fixtureRecord('apostol')))).toBeNull();
    const shares = atOneRate();
    for (const [at, each] of shares.cases.entries()) {
      each.key = each.key.replace('@2000ps', '@60%');
      each.rate = 1000 * (at + 1);
    }
    expect(cost(viewOf(shares))).toBeNull();
    const alone = atOneRate();
    alone.cases = alone.cases.slice(0, 1);
    expect(cost(viewOf(alone))).toBeNull();
  });
});
