import { expect, it } from 'vitest';
import { sheetCsv, sheetJson } from '../../../src/core/report/sheet.ts';

const sheet = {
  columns: ['service', '__proto__', 'rank'],
  rows: [
    ['=1+1', 2.5, null],
    ['a "b", c', 0, 1],
  ],
};

it('is CSV that no spreadsheet takes for a formula', () => {
  expect(sheetCsv(sheet)).toBe('service,__proto__,rank\r\n"\'=1+1",2.5,\r\n"a ""b"", c",0,1\r\n');
});

it('is JSON with an object a row, a missing figure being null', () => {
  expect(sheetJson(sheet)).toBe(
    `${JSON.stringify(
      sheet.rows.map(([service, proto, rank]) => ({ service, ['__proto__']: proto, rank })),
      null,
      2,
    )}\n`,
  );
});
