import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { panels } from '../../../src/core/report/panels.ts';
import { terminalTable } from '../../../src/core/report/terminal-table.ts';
import { viewOf } from '../../../src/core/report/view.ts';
import { fixtureRecord } from './fixture-records.ts';

const warnings = [{ code: 'rate-capped', message: '60 % of the capacity would be 2,412/s; half of 2,895/s was sent' }];

/** k6 could not send what was asked of it; `also` has the same case of a second service, for which it could. */
function capped({ also = false } = {}): RunRecord {
  const record = fixtureRecord('small');
  const cases = record.cases.map((each) => (each.generator === 'k6' ? { ...each, warnings } : each));
  if (!also) return { ...record, cases };
  const others = record.cases.map((each) => ({ ...each, key: each.key.replace('api/', 'other/'), service: 'other' }));
  return { ...record, cases: [...cases, ...others] };
}

const titles = (record: RunRecord) =>
  panels(viewOf(record))
    .filter(({ generator }) => generator === 'k6')
    .flatMap(({ rows }) => rows.map(({ title, label }) => [title, label]));

describe('a case for which k6 could not send the share that was asked', () => {
  it('is called by its rate, in tables and pictures', () => {
    expect(titles(capped())).toEqual([
      ['keep-alive on · 100 connections at 1,448/s, not 60% †', 'keep-alive on · 100 connections at 1,448/s, not 60%'],
      [
        'keep-alive on · gateway · 100 connections at 1,321/s, not 60% †',
        'keep-alive on · gateway · 100 connections at 1,321/s, not 60%',
      ],
    ]);
  });

  it('has its rate beside the name of its service, where a table has several', () => {
    expect(titles(capped({ also: true })).map(([title]) => title)).toEqual([
      'api, at 1,448/s †',
      'other',
      'api, at 1,321/s †',
      'other',
    ]);
  });

  it('is called by its rate on the terminal', () => {
    expect(terminalTable(capped(), { groupBy: 'service', width: 120 })).toContain(
      'users · keep-alive on · 100 @ 1,448/s †',
    );
    expect(terminalTable(capped({ also: true }), { groupBy: 'endpoint', width: 120 })).toContain('api, at 1,448/s');
  });
});
