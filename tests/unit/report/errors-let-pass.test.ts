import { describe, expect, it } from 'vitest';
import { markdown } from '../../../src/core/report/markdown/index.ts';
import { viewOf } from '../../../src/core/report/view.ts';
import { fixtureRecord } from './fixture-records.ts';

describe('a service whose spec lets errors pass', () => {
  it('is shown with its figures and its mark, and is not ranked', () => {
    const record = fixtureRecord('hardware-tax');
    const own = record.cases.filter(({ service }) => service === 'bun');
    for (const each of own) each.warnings = [{ code: 'errors-let-pass', message: '4.2 % of 1,000 requests failed' }];
    const entry = viewOf(record).tests[0]!.entries.find(({ label }) => label === 'bun')!;
    expect(entry).toMatchObject({ valid: true, rank: null });
    const text = markdown(record);
    expect(text).toContain('bun (not ranked: errors)');
    expect(text).toContain('4.2 % of 1,000 requests failed');
    expect(text).not.toContain('not valid');
  });
});
