import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { runMarkdown, runText } from '../../../src/core/posting/run-text.ts';
import { judgedRun } from '../../../src/core/posting/verdict.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { beyondSaid, saidWhole } from '../../../src/core/report/beyond.ts';
import { pageComparison } from '../../../src/core/report/html/comparison-blocks.ts';
import { inlineText } from '../../../src/core/report/inline-text.ts';
import { blockMarkdown } from '../../../src/core/report/markdown/blocks.ts';
import { markdown } from '../../../src/core/report/markdown/index.ts';
import { reportDocument } from '../../../src/core/report/sections/index.ts';
import { terminalParts } from '../../../src/core/report/terminal.ts';
import { plainStyle } from '../../../src/core/report/terminal-style.ts';
import { terminalTable } from '../../../src/core/report/terminal-table.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

/** Endpoint → what it answers a second. */
const MINIFLUX = { entries: 40, entry: 160, counters: 860, categories: 3.1 };
const CONNECTIONS = [100, 1000];
const TIMEOUT = 2;

/** The run of an application with the standard preset; a case is beyond where a request takes over half of the timeout. */
function applicationRun(answers: Record<string, number>, more: MadeUpCase[] = []): RunRecord {
  const cases = Object.keys(answers).flatMap((endpoint) =>
    CONNECTIONS.map((connections) => ({ endpoint, connections })),
  );
  const record = madeUpRecord({ seed: 1, rounds: 8, cases: [...cases, ...more] });
  record.spec.load.wrk = { ...record.spec.load.wrk!, connections: CONNECTIONS, timeoutSeconds: TIMEOUT };
  for (const each of record.cases) {
    const answersPerSecond = answers[each.endpoint] ?? Number.POSITIVE_INFINITY;
    const requestSeconds = each.connections / answersPerSecond;
    if (requestSeconds <= TIMEOUT / 2) continue;
    Object.assign(each, { status: 'beyond', beyond: { answersPerSecond, requestSeconds }, metrics: {} });
  }
  return record;
}

const said = (record: RunRecord) => {
  const found = beyondSaid(record);
  return found === null ? null : inlineText(saidWhole(found));
};

describe('what is beyond a service', () => {
  it('is said in one line for all cases of a run, with what to set', () => {
    expect(said(applicationRun(MINIFLUX))).toBe(
      'Beyond the service: 1,000 connections on all 4 endpoints, 100 connections on 2 endpoints (a request would take 1.2 to 323 s). ' +
        'Set load.wrk.connections: [1, 16, 256] to measure each endpoint with as many as it answers in time.',
    );
  });

  it('keeps the connections that every endpoint answers in time', () => {
    expect(said(applicationRun({ users: 900, ping: 20_000 }))).toBe(
      'Beyond the service: 1,000 connections on users (a request would take 1.1 s). ' +
        'Set load.wrk.connections: [100] to measure each endpoint with as many as it answers in time.',
    );
  });

  it('names a timeout where even one connection waits too long', () => {
    expect(said(applicationRun({ slow: 0.4 }))).toBe(
      'Beyond the service: 1,000 connections on slow, 100 connections on slow (a request would take 250 to 2,500 s). ' +
        'Set load.wrk.timeout: 10s to measure them.',
    );
  });

  it('names rates by what was asked for', () => {
    const record = applicationRun({}, [
      { endpoint: 'users', generator: 'k6' },
      { endpoint: 'ping', generator: 'k6' },
    ]);
    for (const each of record.cases) {
      if (each.endpoint !== 'users') continue;
      Object.assign(each, { status: 'beyond', beyond: { answersPerSecond: 2 }, metrics: {} });
    }
    expect(said(record)).toMatch(
      /^Beyond the service: k6 at \S+ on users \(at a rate there would be too many requests to hold, or too few for a trial\)\.$/,
    );
  });

  it('is nothing of a run whose service holds all', () => {
    expect(said(applicationRun({ ping: 20_000 }))).toBeNull();
  });
});

describe('a report of a run by itself', () => {
  const record = { ...applicationRun(MINIFLUX) };
  delete record.comparing;
  const { headline, sections } = reportDocument(record);
  const line = /Beyond the service: 1,000 connections on all 4 endpoints/g;

  it('has it in its first line, and no case of it in its tables', () => {
    expect(inlineText(headline).match(line)).toHaveLength(1);
    expect(inlineText(headline)).not.toContain('invalid');
    expect(JSON.stringify(sections.filter(({ id }) => id === 'results'))).not.toMatch(/1,000 connections/);
  });

  it('says it once on the terminal', () => {
    const text = terminalTable(record).replaceAll(/\s+/g, ' ');
    expect(text.match(line)).toHaveLength(1);
    expect(text).toContain('rest-api: 2 cases, all valid');
  });
});

describe('a report of a run that was compared', () => {
  const record = applicationRun(MINIFLUX);
  const comparison = comparisonOf(record);
  const line = /Beyond the service: 1,000 connections on all 4 endpoints/g;

  it.each([
    ['Markdown', () => markdown(record, comparison)],
    ['a page', () => pageComparison(comparison, record).map(blockMarkdown).join('\n')],
    ['the terminal', () => terminalParts(record, comparison, { width: 100, style: plainStyle }).join('\n')],
    [
      'a comment',
      () => runMarkdown(runText(judgedRun(record, comparison), { storedAs: null, fail: 'regression' }), 60_000),
    ],
  ])('says it once in %s', (_, said) => {
    expect(said().replaceAll(/\s+/g, ' ').match(line)).toHaveLength(1);
  });
});

describe('a report of a run in which every case is beyond the service', () => {
  it('says so and what to set', () => {
    const record = applicationRun({ entries: 40 });
    delete record.comparing;
    expect(inlineText(reportDocument(record).headline)).toMatch(
      /^Nothing was measured\. Beyond the service: .* Set load\.wrk\.connections: \[16\] to measure/,
    );
    expect(terminalTable(record)).toContain('Beyond the service');
  });
});
