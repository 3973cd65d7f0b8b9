import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { span } from '../../../src/core/format/figures.ts';
import { columnsOf } from '../../../src/core/format/text.ts';
import { terminalTable } from '../../../src/core/report/terminal-table.ts';
import { type FixtureName, fixtureRecord } from './fixture-records.ts';

const names: FixtureName[] = ['apostol', 'abstract-rest', 'hardware-tax', 'small', 'troubled'];

describe('the table on the terminal', () => {
  it.each(names)('of %s, whole', async (name) => {
    await expect(terminalTable(fixtureRecord(name))).toMatchFileSnapshot(`__snapshots__/${name}.terminal.txt`);
  });

  it('of one service by its tests, on a narrow terminal', async () => {
    const table = terminalTable(fixtureRecord('apostol'), { groupBy: 'service', width: 80 });
    await expect(table).toMatchFileSnapshot('__snapshots__/apostol.by-service.terminal.txt');
  });

  it('says what preparing took of the time, where that is worth a word', () => {
    const { timing, ...record } = fixtureRecord('small');
    const heading = (preparingSeconds: number) =>
      terminalTable({ ...record, timing: { ...timing, wallSeconds: 860, preparingSeconds } }).split('\n')[0];
    expect(heading(250)).toMatch(/, 14 min 20 s, of which 4 min 10 s preparing$/);
    expect(heading(10)).toMatch(/, 14 min 20 s$/);
  });

  it.each(names)('of %s fits 100 columns, and 72 where there are no more', (name) => {
    for (const [given, most] of [
      [200, 100],
      [undefined, 100],
      [72, 72],
      [20, 72],
    ] as const) {
      for (const groupBy of ['service', 'endpoint'] as const) {
        const table = terminalTable(fixtureRecord(name), { groupBy, ...(given === undefined ? {} : { width: given }) });
        expect(Math.max(...table.split('\n').map(columnsOf))).toBeLessThanOrEqual(most);
      }
    }
  });

  it('is plain unless a style is given, and says the same with colours', () => {
    const plain = terminalTable(fixtureRecord('troubled'));
    const coloured = terminalTable(fixtureRecord('troubled'), { style: createColors(true) });
    expect(plain).not.toContain('\u001b');
    expect(coloured).toContain('\u001b[31m✗');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of colours begin with it
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(plain);
  });

  it('says once why a service was not measured, and of how many cases, without a row for each of them', () => {
    const record = fixtureRecord('small');
    const failure = {
      code: 'nothing-listens',
      message: 'api was asked for http://10.0.0.2:80/ for 30 s, but nobody listens.',
    };
    record.services = [{ ...record.services[0]!, failure }];
    record.cases = record.cases.map((each) => ({ ...each, status: 'invalid', reasons: [failure], metrics: {} }));
    const { service } = record.services[0]!;
    expect(terminalTable(record)).toBe(
      [
        `${record.spec.name}: ${record.cases.length} cases, ${record.cases.length} invalid, ${span(record.timing.wallSeconds)}`,
        '',
        `✗ ${service} (${record.cases.length} cases) was not measured: api was asked for http://10.0.0.2:80/ for 30 s, but nobody`,
        'listens.',
        '',
      ].join('\n'),
    );
  });

  it('says once what is wrong with several cases, with the first of them', () => {
    const record = fixtureRecord('small');
    const reasons = [{ code: 'no-answer', message: 'no request was answered' }];
    record.cases = record.cases.slice(0, 3).map((each) => ({ ...each, status: 'invalid', reasons }));
    const table = terminalTable(record);
    expect(table.match(/^✗ (?!.* was not measured)/gm)).toHaveLength(3);
    expect(table.match(/^ {4}.*no request was answered$/gm)).toEqual([
      '    invalid, as are 2 other cases (✗): no request was answered',
    ]);
  });

  it('still has the rows of what was measured before its service fell over', () => {
    const record = fixtureRecord('small');
    const failure = { code: 'exited', message: 'api exited.' };
    record.services = [{ ...record.services[0]!, failure }];
    record.cases = record.cases.slice(0, 2).map((each) => ({ ...each, status: 'invalid', reasons: [failure] }));
    const table = terminalTable(record);
    expect(table.match(/^✗ (?!.* was not measured)/gm)).toHaveLength(2);
    expect(table.match(/exited/g)).toHaveLength(1);
  });

  it('names the line that decides, where it is none of the last that a service printed', () => {
    const record = fixtureRecord('small');
    const trace = ['Error: SHOP_REGION is not set', ...[1, 2, 3, 4, 5].map((line) => `    at load (loader:${line})`)];
    const message = [
      'api: The service exited with status 1 before it was ready. Its last log lines say why.',
      ...trace,
    ].join('\n    ');
    record.services = [{ ...record.services[0]!, failure: { code: 'exited', message } }];
    expect(terminalTable(record).replaceAll(/\s+/g, ' ')).toContain(
      '✗ api was not measured: The service exited with status 1 before it was ready: Error: SHOP_REGION is not set',
    );
  });

  it('shows what happened in a run that measured nothing', () => {
    const record = fixtureRecord('troubled');
    record.cases = [];
    expect(terminalTable(record)).toBe(
      [
        'troubled <b>&amp; | `spec` ## not a heading: 0 cases, 41 s',
        '',
        '✗ never-started was not measured: never-started did not answer GET / within 30 s. Its last lines:',
        '    listening on 0.0.0.0:8080',
        '    ``` panic: ⟨U+001B⟩[31m@octocat⟨U+001B⟩[0m',
        '      at main.go:12',
        '✗ The run ended early: The run was stopped by SIGTERM; what it had measured is kept.',
        '',
      ].join('\n'),
    );
  });
});
