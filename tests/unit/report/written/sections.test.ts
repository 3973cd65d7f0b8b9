import { describe, expect, it } from 'vitest';
import type { CaseRecord } from '../../../../src/core/record/run-record.ts';
import { limitingPart } from '../../../../src/core/report/analysis/limiting-part.ts';
import type { Block } from '../../../../src/core/report/document.ts';
import { blockMarkdown } from '../../../../src/core/report/markdown/blocks.ts';
import { limits } from '../../../../src/core/report/sections/limits.ts';
import { scaling } from '../../../../src/core/report/sections/scaling.ts';
import { viewOf } from '../../../../src/core/report/view.ts';
import { acrossBlocks } from '../../../../src/core/report/written/across.ts';
import { fixtureRecord } from '../fixture-records.ts';
import { apostol, runsOf } from './given.ts';

const markdownOf = (blocks: readonly Block[] = []) => blocks.map(blockMarkdown).join('\n\n');

const metricsOf = (values: Record<string, number>): CaseRecord['metrics'] =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, unit: 'ms', samples: [] }]));

/** Rows of the first table, header included, as cells. */
function firstTable(text: string): string[][] {
  const lines = [...text.split('\n'), ''];
  const start = lines.findIndex((line) => line.startsWith('|'));
  const rows = lines.slice(
    start,
    lines.findIndex((line, index) => index > start && !line.startsWith('|')),
  );
  return rows
    .filter((row) => !/^\|[ :|-]+$/.test(row))
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('**', '')),
    );
}

describe('connection scaling', () => {
  it('shows what more connections bring each service', () => {
    const text = markdownOf(scaling(viewOf(fixtureRecord('apostol')))?.blocks);
    expect(text.match(/\*\*ping \(GET \/ping\), keep-alive o(?:n|ff):\*\*/g)).toHaveLength(2);
    expect(text).not.toContain('db-ping');
    expect(firstTable(text)).toEqual([
      ['Service', '100 connections', '1,000 connections', '1,000 / 100'],
      ['nginx (reference)', '584,991', '611,664', '1.05x'],
      ['apostol-v2', '270,706', '255,816', '0.94x'],
      ['go', '114,873', '110,121', '0.96x'],
      ['apostol-v1', '67,004', '61,486', '0.92x'],
      ['nodejs', '54,308', '52,879', '0.97x'],
      ['python', '2,404', '11,179', '4.7x'],
    ]);
  });

  it('leaves out services with one valid figure, and open models', () => {
    const record = fixtureRecord('apostol');
    record.cases.find(({ key }) => key === 'go/ping/direct/wrk/keep-alive/1000')!.status = 'invalid';
    expect(firstTable(markdownOf(scaling(viewOf(record))?.blocks)).map(([name]) => name)).not.toContain('go');
    for (const each of record.cases) each.rate = 1000;
    expect(scaling(viewOf(record))).toBeNull();
  });
});

describe('what limits', () => {
  const together = { placement: { service: '0-1', database: '0-1', generator: '2-3' }, cpuCount: 4 };
  const apart = { placement: { service: '0-3', database: '4-5', generator: '6-7' }, cpuCount: 8 };
  const idle = { service: 0.2, database: 0, gateway: 0, generator: 0.3, own: 0, foreign: 0, steal: 0 };

  it.each([
    ['service', { service: 1.2, database: 0.7 }, together],
    ['database', { service: 0.7, database: 1.2 }, together],
    ['gateway', { service: 0.5, database: 0.3, gateway: 1.1 }, together],
    ['generator', { service: 0.5, generator: 1.9 }, together],
    ['thread', { service: 1.4, busiestThread: 0.97 }, together],
    ['service', { service: 1.95, busiestThread: 0.97 }, together],
    ['no CPU', { service: 1.4, busiestThread: 0.7 }, together],
    ['one core', { service: 1.01, busiestThread: 0.5 }, together],
    ['others', { service: 1, foreign: 0.6, steal: 0.3 }, together],
    ['no CPU', { service: 0.4, foreign: 0.6 }, together],
    ['others', { service: 1, database: 0.2, foreign: 4.6 }, apart],
    ['one core', { service: 1.01, generator: 1.9 }, together],
    ['no CPU', { service: 0.5 }, together],
    ['database', { service: 0.5, database: 1.9 }, apart],
    ['service', { service: 3.9, database: 1.9 }, apart],
    ['no CPU', { service: 3, database: 1.2 }, apart],
    ['quota', { service: 0.49 }, { ...together, quota: 0.5 }],
    ['quota', { service: 0.49, database: 1.5 }, { ...together, quota: 0.5 }],
    ['database', { service: 0.4, database: 1.55 }, { ...together, quota: 0.5 }],
    ['no CPU', { service: 0.3 }, { ...together, quota: 0.5 }],
  ])('is the %s of %j', (part, used, environment) => {
    expect(limitingPart({ metrics: {}, utilisation: { ...idle, ...used } }, environment)?.part).toBe(part);
  });

  const waiting = { 'latency-p50': 41.03, 'latency-p75': 41.98, 'latency-p90': 42.06 };

  it.each([
    ['timer', waiting, {}],
    ['no CPU', waiting, { service: 1.2 }],
    ['no CPU', waiting, { service: 0.7, busiestThread: 0.6 }],
    ['no CPU', waiting, { generator: 1.2 }],
    ['service', waiting, { service: 1.9 }],
    ['no CPU', { ...waiting, 'latency-p90': 60 }, {}],
  ])('is the %s of latencies %j with %j', (part, latencies, used) => {
    const record = { metrics: metricsOf(latencies), utilisation: { ...idle, ...used } };
    expect(limitingPart(record, together)?.part).toBe(part);
  });

  it('is no generator beside the service but others, where the generator has little of the full CPUs', () => {
    const one = { placement: { service: '0', database: '0', generator: '0' }, cpuCount: 1 };
    const partOf = (used: Partial<typeof idle>) =>
      limitingPart({ metrics: {}, utilisation: { ...idle, ...used } }, one)?.part;
    expect(partOf({ service: 0.3, generator: 0.2, foreign: 0.65 })).toBe('others');
    expect(partOf({ service: 0.6, generator: 0.35, foreign: 0.35 })).toBe('no CPU');
  });

  it('is said of a thread and a timer, with what to do', () => {
    const record = fixtureRecord('small');
    const [one, other] = record.cases.filter(({ generator, route }) => generator === 'wrk' && route === 'direct');
    record.cases = [one!, other!];
    record.environment.placement = { service: '0-1', database: '0-1', generator: '2-3' };
    one!.utilisation = { ...idle, service: 1.3, busiestThread: 0.97 };
    other!.utilisation = { ...idle, busiestThread: 0.11 };
    Object.assign(other!.metrics, metricsOf(waiting));
    const text = markdownOf(limits(viewOf(record))?.blocks);
    expect(firstTable(text)).toEqual([
      ['Case', 'Server CPUs used', 'Generator CPUs used', 'Busiest thread', 'What limits'],
      ['keep-alive on · 100 connections', '65%', '15%', '97%', 'one thread of the service'],
      [
        'keep-alive off · 100 connections',
        ...['10%', '15%', '11%', "a timer of 41.03 ms (delayed ACK against Nagle's algorithm gives 40 ms)"],
      ],
    ]);
    expect(text).toContain('One thread: it was busy all the time');
    expect(text).toContain('write it in one, or set TCP\\_NODELAY.');
    expect(text).not.toContain('Others:');
  });

  it('is not told where nothing says what was used', () => {
    expect(limitingPart({ metrics: {}, utilisation: null }, together)).toBeNull();
    expect(limitingPart({ metrics: {}, utilisation: { ...idle, service: 0 } }, together)).toBeNull();
    const unknown = { ...together, placement: { ...together.placement, service: 'all of them' } };
    expect(limitingPart({ metrics: {}, utilisation: idle }, unknown)).toBeNull();
    expect(limits(viewOf(fixtureRecord('apostol')))).toBeNull();
  });

  it('has a table, without columns of what was not there', () => {
    expect(firstTable(markdownOf(limits(viewOf(fixtureRecord('small')))?.blocks))).toEqual([
      ['Case', 'Server CPUs used', 'Generator CPUs used', 'What limits'],
      ['keep-alive on · 100 connections', '99%', '44%', 'database'],
      ['keep-alive off · 100 connections', '99%', '44%', 'database'],
      ['keep-alive on · gateway · 100 connections', '111%', '44%', 'database'],
      ['keep-alive off · gateway · 100 connections', '111%', '44%', 'database'],
    ]);
  });
});

describe('one run against another', () => {
  it('shows the figures that both have, with their change', () => {
    const [one, other] = runsOf(apostol('direct'), apostol('pooled', 0.9));
    const text = markdownOf(acrossBlocks(one!, other!));
    expect(text).toContain('direct and pooled were measured at different times on machines of the same kind');
    expect(firstTable(text).slice(0, 2)).toEqual([
      ['Service', ...['RPS', 'p50', 'p99'].flatMap((title) => [`${title}, direct`, `${title}, pooled`, 'Change'])],
      ['nginx (reference)', '584,991', '526,492', '-10%', '109 µs', '98 µs', '-10%', '330 µs', '297 µs', '-10%'],
    ]);
  });

  it('of other machines compares exact counts and nothing else', () => {
    const [small, other] = [fixtureRecord('small'), fixtureRecord('small')];
    other.id = 'other';
    other.spec.name = 'pooled';
    other.environment.cpuCount = 64;
    const [one, two] = runsOf(small, other);
    const text = markdownOf(acrossBlocks(one!, two!));
    expect(text).toContain('Their figures are not comparable; only the counts of each request are.');
    const [head, ...rows] = firstTable(`${text}\n`);
    expect(head!.slice(0, 4)).toEqual([
      'Endpoint',
      'Service',
      `Queries per request, ${one!.label}`,
      `Queries per request, ${two!.label}`,
    ]);
    expect(rows.length).toBeGreaterThan(0);
    expect(text).not.toContain('RPS');
  });

  it('is nothing where they have no case in common', () => {
    const [one, other] = runsOf(apostol('direct'), fixtureRecord('small'));
    other!.record.environment = one!.record.environment;
    expect(acrossBlocks(one!, other!)).toEqual([]);
  });
});
