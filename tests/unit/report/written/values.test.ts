import { describe, expect, it } from 'vitest';
import { inlineText } from '../../../../src/core/report/inline-text.ts';
import { labelledRuns } from '../../../../src/core/report/written/runs.ts';
import { figureText } from '../../../../src/core/report/written/values.ts';
import { fixtureRecord } from '../fixture-records.ts';
import { apostol, givenRun, runsOf } from './given.ts';

const GO = 'go/ping/direct/wrk/keep-alive/100';
const NGINX = 'nginx/ping/direct/wrk/keep-alive/100';

const said = (text: string, runs = runsOf(fixtureRecord('apostol'))) =>
  inlineText(figureText(text.split(' '), runs, 7));

describe('a value', () => {
  it.each([
    [`${GO} throughput`, '114,873'],
    [`${GO} throughput as compact`, '115K'],
    [`${GO} throughput as number`, '114873'],
    [`${GO} latency-p50`, '0.87 ms'],
    [`${GO} latency-p99 as number`, '2.5'],
    [`${GO} memory-peak`, '–'],
    [`${GO} throughput / ${NGINX}`, '0.20x'],
    [`${GO} throughput / ${NGINX} throughput as share`, '20%'],
    [`${GO} throughput / ${NGINX} as change`, '-80%'],
    [`${GO} latency-p99 / ${GO} latency-p50`, '2.9x'],
    [`${GO} memory-peak / ${NGINX}`, '–'],
    ['spec', 'REST API Benchmark'],
    ['run', '20260301T101500Z-7f3a'],
    ['date', '2026-03-01'],
    ['commit', '3f2c1ab09d0e'],
    ['wrkbench', '0.1.0'],
    ['cpu', 'AMD EPYC 7763 64-Core Processor'],
    ['cpus', '8'],
    ['memory', '32.0 GiB'],
    ['os', 'Ubuntu 24.04'],
    ['kernel', '6.8.0-1021'],
    ['services', '6'],
    ['endpoints', '2'],
    ['cases', '34'],
  ])('%s is %s', (text, expected) => expect(said(text)).toBe(expected));

  it('of an invalid case says so', () => {
    const record = fixtureRecord('apostol');
    record.cases.find(({ key }) => key === GO)!.status = 'invalid';
    expect(said(`${GO} throughput`, runsOf(record))).toBe('114,873 (invalid)');
    expect(said(`${NGINX} throughput / ${GO}`, runsOf(record))).toBe('5.1x (invalid)');
  });

  it.each([
    ['gpu', /the value `gpu` is unknown\. There are spec, run, date/],
    ['toString', /the value `toString` is unknown/],
    [`${GO} troughput`, /the metric `troughput` is unknown; the nearest are throughput/],
    ['goo/ping/direct/wrk/keep-alive/100 throughput', /no run has the case `goo.*; the nearest are `go\/ping/],
    [`${GO} throughput as pounds`, /a figure can be written as compact or number, not as `pounds`/],
    [`${GO} throughput / ${NGINX} as compact`, /a ratio can be written as factor, share, change, not as `compact`/],
    [`${GO} throughput / ${NGINX} latency-p50`, /throughput is in req\/s and latency-p50 in ms/],
    [`${GO} throughput latency-p50`, /is not understood/],
    [`/ ${GO}`, /is not understood/],
    [`${GO} throughput as`, /is not understood/],
  ])('%s is answered in a sentence', (text, sentence) => {
    expect(() => said(text)).toThrow(sentence);
    expect(() => said(text)).toThrow(expect.objectContaining({ line: 7 }));
  });
});

describe('a value of several runs', () => {
  const runs = runsOf(apostol('direct'), apostol('pooled', 0.5));

  it('is that of the run before the colon', () => {
    expect(said(`pooled:${GO} throughput`, runs)).toBe('57,437');
    expect(said(`pooled:${GO} throughput / direct:${GO} as change`, runs)).toBe('-50%');
    expect(said('pooled:run', runs)).toBe('20260301-101500-pooled');
    expect(said('cpu', runs)).toBe('AMD EPYC 7763 64-Core Processor');
    expect(said('spec', runs)).toBe('direct, pooled');
  });

  it('needs one where more than one run has it', () => {
    expect(() => said(`${GO} throughput`, runs)).toThrow(/is in the runs direct and pooled: write .* as in direct:go/);
    expect(() => said('run', runs)).toThrow(/the runs differ in `run`: write the run before it, as in direct:run/);
  });

  it('is no ratio across machines that are not alike', () => {
    const other = apostol('pooled', 0.5);
    other.environment.cpuCount = 4;
    expect(said(`pooled:${GO} throughput / direct:${GO}`, runsOf(apostol('direct'), other))).toBe(
      '– (not comparable: different machines)',
    );
  });
});

describe('the name of a run', () => {
  it('is its own, or its spec, its commit or its id', () => {
    const labels = (...given: Parameters<typeof labelledRuns>[0]) => labelledRuns(given).map(({ label }) => label);
    const [one, other] = [apostol('a'), apostol('b')];
    expect(labels(givenRun(one), givenRun(other, { label: 'mine' }))).toEqual(['a', 'mine']);
    other.spec.name = 'a';
    expect(labels(givenRun(one), givenRun(other))).toEqual(['20260301-101500-a', '20260301-101500-b']);
    other.source.sha = '9d0e77c1a2b3c4d5e6f708192a3b4c5d3f2c1ab0';
    expect(labels(givenRun(one), givenRun(other))).toEqual(['3f2c1ab', '9d0e77c']);
  });

  it('stands for one run alone', () => {
    const [one, other] = [givenRun(apostol('a')), givenRun(apostol('b'))];
    expect(() => labelledRuns([one, one])).toThrow(/The run 20260301-101500-a is named twice/);
    const named = [one, other].map((each) => ({ ...each, label: 'x' }));
    expect(() => labelledRuns(named)).toThrow(/Two runs are named x\. Give each a name of its own/);
  });
});
