import { describe, expect, it } from 'vitest';
import { causeOf } from '../../../src/core/posting/invalid-cause.ts';
import { inlineText } from '../../../src/core/report/inline-text.ts';
import { markdown } from '../../../src/core/report/markdown/index.ts';
import { reportDocument } from '../../../src/core/report/sections/index.ts';
import { headline } from '../../../src/core/report/sections/summary.ts';
import { terminalTable } from '../../../src/core/report/terminal-table.ts';
import { viewOf } from '../../../src/core/report/view.ts';
import { fixtureRecord } from './fixture-records.ts';

/** A run that went on without `bun`. */
function withoutBun() {
  const record = fixtureRecord('hardware-tax');
  record.cases = record.cases.filter(({ service }) => service !== 'bun');
  const started = record.services.find(({ service }) => service === 'bun')!;
  const message = 'bun: cannot be <fetched> | at all.\n    line of a log';
  Object.assign(started, { artifact: '', failure: { code: 'image-unavailable', message }, absent: true });
  return record;
}

describe('a service that is absent', () => {
  const said = 'Absent: bun (optional): cannot be <fetched> | at all.';

  it('has one line on the terminal, and nothing is said to be wrong', () => {
    const text = terminalTable(withoutBun());
    expect(text).toContain(`\n${said}\n`);
    expect(text).not.toContain('✗');
    expect(text).not.toContain('invalid');
  });

  it('is named in the headline, behind who is ahead', () => {
    const text = inlineText(headline(viewOf(withoutBun())));
    expect(text).toMatch(/\. Absent: bun\.$/);
    expect(text).not.toContain('Not measured');
  });

  it('has its reason in the report, escaped, beside what is worth knowing', () => {
    const record = withoutBun();
    const blocksOf = (id: string) => reportDocument(record).sections.find((section) => section.id === id)!.blocks;
    expect(blocksOf('warnings').slice(0, 2)).toEqual([
      { kind: 'paragraph', text: said },
      { kind: 'code', language: '', text: '    line of a log' },
    ]);
    const [services] = blocksOf('services').flatMap((block) => (block.kind === 'table' ? [block.table] : []));
    expect(services!.rows[0]).toMatchObject({ tone: 'plain' });
    expect(services!.rows[0]!.cells.slice(0, 2)).toEqual(['bun', 'under test, absent']);
    expect(markdown(record)).not.toContain('<fetched>');
  });

  it('is not what a run is invalid for', () => {
    expect(causeOf(withoutBun(), null)).toBeNull();
  });
});
