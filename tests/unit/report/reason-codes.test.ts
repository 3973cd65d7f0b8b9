import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { markdown } from '../../../src/core/report/markdown/index.ts';
import { terminalTable } from '../../../src/core/report/terminal-table.ts';
import { type FixtureName, fixtureRecord } from './fixture-records.ts';

/** With a code that no sentence has, so that it is found wherever it is shown. */
function coded(name: FixtureName): RunRecord {
  const record = fixtureRecord(name);
  const warning = { code: 'code-of-a-warning', message: '66 % of the CPUs went to others' };
  const failure = { code: 'code-of-a-failure', message: 'api: The image is not on this machine.' };
  const reasons = [[{ code: 'code-of-a-reason', message: '3 % of requests failed' }], [failure]];
  const [first, second] = record.cases.filter(({ variant }) => variant === 'candidate');
  return {
    ...record,
    interrupted: { code: 'code-of-an-end', message: 'It was stopped.' },
    services: record.services.map((each, index) => (index === 0 ? { ...each, failure } : each)),
    cases: record.cases.map((each) => {
      const index = [first, second].indexOf(each);
      return { ...each, warnings: [warning], ...(index < 0 ? {} : { status: 'invalid', reasons: reasons[index]! }) };
    }),
  };
}

/** Lines of tables that have a column for codes, beside the sentence. */
const isOfCodeTable = (line: string) => /^\| .*\| `code-of-[a-z-]+` +\| \S/.test(line);

describe.each<FixtureName>(['small', 'apostol', 'compared'])('the report of %s', (name) => {
  it('says what a reason says, and its code only in a column beside that', () => {
    const terminal = terminalTable(coded(name));
    const report = markdown(coded(name));
    expect(terminal).not.toContain('code-of-');
    expect(report.split('\n').filter((line) => line.includes('code-of-') && !isOfCodeTable(line))).toEqual([]);
    for (const text of [terminal, report].map((each) => each.replaceAll(/\s+/g, ' '))) {
      expect(text).toContain('66 % of the CPUs went to others');
      expect(text).toContain('3 % of requests failed');
      expect(text).toContain('The image is not on this machine.');
      expect(text).toContain('The run ended early: It was stopped.');
    }
  });
});
