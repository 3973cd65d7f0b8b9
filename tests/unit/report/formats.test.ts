import Ajv from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderReport, UnknownFormat } from '../../../src/app/report.ts';
import { bencher } from '../../../src/core/report/bencher.ts';
import { csv } from '../../../src/core/report/csv.ts';
import {
  githubActionBenchmark,
  githubActionBenchmarkBigger,
} from '../../../src/core/report/github-action-benchmark.ts';
import { reportFormats } from '../../../src/core/report/registry.ts';
import { fixtureRecord } from './fixture-records.ts';

/** Reads RFC 4180, and nothing that is not. */
function parsedCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let rest = text;
  while (rest !== '') {
    const match = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest);
    if (match === null) throw new Error(`not RFC 4180: ${JSON.stringify(rest.slice(0, 40))}`);
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') {
      rows.push(row);
      row = [];
    }
    rest = rest.slice(match[0].length);
  }
  return rows;
}

describe('csv', () => {
  it('is one row per case and metric', () => {
    const [header, ...rows] = parsedCsv(csv(fixtureRecord('small')));
    expect(header?.join()).toBe(
      'run,service,variant,endpoint,route,generator,keep_alive,connections,rate,status,reasons,metric,value,unit,samples,min,max',
    );
    expect(rows).toHaveLength(6 * 16);
    expect(rows[0]).toEqual([
      ...['20260301T101500Z-7f3a', 'api', 'candidate', 'users', 'direct', 'wrk', 'on', '100', '', 'valid', ''],
      ...['throughput', '2406.925', 'req/s', '10', '2367.09', '2460.6'],
    ]);
    expect(rows.find((row) => row[5] === 'k6')?.[8]).toBe('1447.6');
  });

  it('has a row for a case without any metric, with the codes of its reasons', () => {
    const rows = parsedCsv(csv(fixtureRecord('troubled')));
    const lost = rows.find((row) => row[10] === 'timed-out');
    expect(lost?.slice(9)).toEqual(['invalid', 'timed-out', '', '', '', '', '', '']);
    expect(rows.some((row) => row[10] === 'errors unexpected-body')).toBe(true);
  });

  it('takes minimum and maximum from solo samples only', () => {
    const record = fixtureRecord('abstract-rest');
    record.cases = record.cases.slice(0, 1);
    for (const sample of record.cases[0]!.metrics.throughput!.samples) sample.mode = 'duet';
    const row = parsedCsv(csv(record))[1];
    expect(row?.slice(11)).toEqual(['throughput', '401511.94', 'req/s', '0', '', '']);
  });

  it('has both sides of a comparing run, told apart by their variant', () => {
    const rows = parsedCsv(csv(fixtureRecord('compared'))).filter((row) => row[11] === 'cpu-per-request');
    expect(rows.slice(8, 10).map((row) => [row[2], row[3], row[7], row[12]])).toEqual([
      ['baseline', 'users', '100', '413.3616'],
      ['candidate', 'users', '100', '435.04'],
    ]);
    expect(rows.map((row) => row[2])).toEqual(
      Array.from({ length: 16 }, (_, at) => (at % 2 ? 'candidate' : 'baseline')),
    );
  });

  it('survives every name, and none is a formula', () => {
    const record = fixtureRecord('abstract-rest');
    record.cases = record.cases.slice(0, 1);
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n=', ' =', '＝'), fc.string())
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(hostile, (name) => {
        record.cases[0]!.service = name;
        const cell = parsedCsv(csv(record))[1]?.[1] ?? '';
        expect(cell === name || cell === `'${name}`).toBe(true);
        expect(cell).not.toMatch(/^\s*[=+\-@\t\r＝＋－＠]/);
      }),
      { seed: 20260301, numRuns: 1000 },
    );
  });
});

describe('github-action-benchmark', () => {
  interface Entry {
    name: string;
    unit: string;
    value: number;
    range?: string;
    extra: string;
  }
  const entries = (text: string) => JSON.parse(text) as Entry[];

  it('has what is better when smaller in one list, throughput in the other', () => {
    const smaller = entries(githubActionBenchmark(fixtureRecord('small')));
    const bigger = entries(githubActionBenchmarkBigger(fixtureRecord('small')));
    expect(smaller).toHaveLength(6 * 15);
    expect(bigger).toHaveLength(6);
    expect(bigger[0]).toEqual({
      name: 'api/users/direct/wrk/keep-alive/100 throughput',
      unit: 'req/s',
      value: 2406.925,
      range: '± 46.8',
      extra: 'wrkbench 0.1.0, run 20260301T101500Z-7f3a\nAMD EPYC 7763 64-Core Processor',
    });
    expect(smaller.every(({ name }) => !name.endsWith(' throughput'))).toBe(true);
    expect(smaller.find(({ name }) => name.endsWith('keep-alive/100 queries-per-request'))).toMatchObject({ value: 1 });
  });

  it('has no invalid case, no reference and no baseline: it would raise alarms on them', () => {
    const troubled = entries(githubActionBenchmarkBigger(fixtureRecord('troubled')));
    expect(troubled.map(({ value }) => value)).toEqual([48120.4, 31044.9, 0, 42.13, 1999.8]);
    const record = fixtureRecord('apostol');
    for (const each of record.cases) each.variant = 'baseline';
    expect(entries(githubActionBenchmarkBigger(record))).toEqual([]);
    const compared = entries(githubActionBenchmarkBigger(fixtureRecord('compared')));
    expect(compared.map(({ value }) => value)).toEqual(
      fixtureRecord('compared').cases.flatMap(({ variant, metrics }) =>
        variant === 'candidate' ? metrics.throughput!.value : [],
      ),
    );
  });
});

describe('bencher', () => {
  const schema = {
    type: 'object',
    additionalProperties: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { value: { type: 'number' }, lower_value: { type: 'number' }, upper_value: { type: 'number' } },
        required: ['value'],
        additionalProperties: false,
      },
    },
  };

  it('is Bencher Metric Format, with the built-in measures in the units that they have', () => {
    const format = JSON.parse(bencher(fixtureRecord('small')));
    expect(new Ajv().validate(schema, format)).toBe(true);
    const measures = format['api/users/direct/wrk/keep-alive/100'];
    expect(Object.keys(measures)).toEqual([
      'throughput',
      'latency',
      'latency-p50-ms',
      'latency-p75-ms',
      'latency-p90-ms',
      'latency-p99-ms',
      'latency-max-ms',
      'errors',
      'cpu-per-request-us',
      'database-cpu-per-request-us',
      'memory-idle-bytes',
      'memory-peak-bytes',
      'memory-settled-bytes',
      'queries-per-request',
      'rows-per-request',
      'bytes-per-response-bytes',
    ]);
    expect(measures.throughput).toEqual({ value: 2406.925, lower_value: 2367.09, upper_value: 2460.6 });
    expect(measures.latency).toEqual({ value: 45_617_350, lower_value: 44_582_500, upper_value: 46_336_200 });
    expect(measures['queries-per-request']).toEqual({ value: 1 });
  });

  it('keeps to the length of names that Bencher has', () => {
    const record = fixtureRecord('abstract-rest');
    record.cases[0]!.key = `${'x'.repeat(2000)}/test`;
    expect(Math.max(...Object.keys(JSON.parse(bencher(record))).map((name) => name.length))).toBe(1024);
  });
});

describe('the registry', () => {
  it('has each format once, and all render every record', () => {
    const names = reportFormats.map(({ name }) => name);
    expect(names).toEqual([
      'markdown',
      'html',
      'csv',
      'json',
      'github-action-benchmark',
      'github-action-benchmark-bigger',
      'bencher',
    ]);
    for (const name of names) {
      for (const fixture of ['apostol', 'small', 'troubled', 'hardware-tax', 'compared'] as const) {
        const report = renderReport(fixtureRecord(fixture), name, { pageScript: '' });
        expect(report.endsWith('\n')).toBe(true);
        expect(report).not.toMatch(/undefined|NaN|\[object/);
      }
    }
  });

  it('gives the record itself as JSON', () => {
    const record = fixtureRecord('troubled');
    expect(JSON.parse(renderReport(record, 'json', { pageScript: '' }))).toEqual(record);
  });

  it('names the formats that there are', () => {
    const attempt = () => renderReport(fixtureRecord('small'), 'pdf', { pageScript: '' });
    expect(attempt).toThrow(UnknownFormat);
    expect(attempt).toThrow(
      'There is no report format "pdf"; there are markdown, html, csv, json, github-action-benchmark, github-action-benchmark-bigger, bencher.',
    );
  });
});
