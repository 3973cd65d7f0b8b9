import { describe, expect, it } from 'vitest';
import { rowsOf, rowsOfStatement } from '../../../src/core/requests/rows.ts';

const what = 'The values of article';

describe('values of several placeholders', () => {
  it('are combined row by row, not crossed', () => {
    expect(rowsOf({ slug: ['a', 'b'], id: ['1', '2'] }, what)).toEqual([
      { slug: 'a', id: '1' },
      { slug: 'b', id: '2' },
    ]);
  });

  it('are refused where there are not as many of each', () => {
    expect(() => rowsOf({ slug: ['a', 'b'], id: ['1'] }, what)).toThrow(
      'The values of article have 2 values for {slug} and 1 for {id}: they are taken row by row, so give as many of each.',
    );
  });
});

describe('the rows of a statement', () => {
  const rowsWith = (sql: string, columns: string[], rows: (string | null)[][], placeholders = ['slug']) =>
    rowsOfStatement({ columns, rows }, { sql, placeholders, what });

  it('are those of columns that are called as the placeholders are', () => {
    const rows = rowsWith('select * from a order by 1', ['id', 'slug', 'lang'], [['1', 'a', 'en']], ['slug', 'lang']);
    expect(rows).toEqual([{ slug: 'a', lang: 'en' }]);
  });

  it('are those of the only column for the only placeholder, whatever it is called', () => {
    expect(rowsWith('select id from a order by id', ['id'], [['7']])).toEqual([{ slug: '7' }]);
  });

  it('keep the order that the statement names', () => {
    expect(rowsWith('SELECT id FROM a ORDER  BY made', ['id'], [['b'], ['a']])).toEqual([{ slug: 'b' }, { slug: 'a' }]);
  });

  it('are sorted where it names none, since two copies of the same data give them differently', () => {
    expect(rowsWith('select id from a', ['id'], [['b'], ['a'], ['Z']])).toEqual([
      { slug: 'Z' },
      { slug: 'a' },
      { slug: 'b' },
    ]);
  });

  it('are refused where a column is missing, where there are none, where one is null, and where they are too many', () => {
    expect(() => rowsWith('select id, name from a', ['id', 'name'], [['1', 'x']])).toThrow(
      'The values of article: the statement “select id, name from a” has no column slug, but id, name: name one so, as in `select id as slug`.',
    );
    expect(() => rowsWith('select id from a', ['id'], [])).toThrow(
      'gives no row, so that there is nothing to ask for.',
    );
    expect(() => rowsWith('select id from a', ['id'], [['1'], [null]])).toThrow(
      'row 2 of the statement “select id from a” has no value for {slug} (null): leave such rows out.',
    );
    const many = Array.from({ length: 100_001 }, (_, id) => [String(id)]);
    expect(() => rowsWith(`select\n  ${'x'.repeat(100)} from a`, ['id'], many)).toThrow(
      `“select ${'x'.repeat(73)}…” gives more than 100000 rows: put a limit to it.`,
    );
  });
});
