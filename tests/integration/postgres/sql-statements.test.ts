import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeInText, sqlScript } from '../../../src/adapters/postgres/sql-statements.ts';

const texts = (sql: string) => sqlScript(sql).statements.map(({ text }) => text);

describe('SQL is split into statements as psql does it', () => {
  it.each([
    ['two statements, the last without its semicolon', 'SELECT 1; SELECT 2', ['SELECT 1', 'SELECT 2']],
    ['nothing but comments', '-- a; b\n/* c; /* d; */ e; */ ;;', []],
    ['comments inside', 'SELECT 1 -- a;\n, 2 /* ; */;', ['SELECT 1 -- a;\n, 2 /* ; */']],
    [
      'quotes',
      `SELECT ';', 'it''s;', ";", E'\\';', e'''';SELECT 2`,
      [`SELECT ';', 'it''s;', ";", E'\\';', e''''`, 'SELECT 2'],
    ],
    ['a backslash that means itself', `SELECT '\\';SELECT 2`, [`SELECT '\\'`, 'SELECT 2']],
    ['dollar quotes', 'DO $$ a; $x$ b; $$;SELECT $x$ $$; $x$', ['DO $$ a; $x$ b; $$', 'SELECT $x$ $$; $x$']],
    ['dollars in names and parameters', 'SELECT a$b$ FROM c; SELECT $1', ['SELECT a$b$ FROM c', 'SELECT $1']],
    [
      'a rule of several commands',
      'CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2); SELECT 3',
      ['CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)', 'SELECT 3'],
    ],
    [
      'a body of standard SQL',
      'CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END; SELECT 2',
      [
        'CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END',
        'SELECT 2',
      ],
    ],
    ['a transaction', 'BEGIN; SELECT 1; END; SELECT 2', ['BEGIN', 'SELECT 1', 'END', 'SELECT 2']],
    ['an open quote', "SELECT 'a; b", ["SELECT 'a; b"]],
  ])('%s', (_name, sql, statements) => {
    expect(texts(sql)).toEqual(statements);
  });

  it('each statement lies where its offset says, whatever the text', () => {
    const piece = fc.constantFrom(
      ';',
      "'",
      '"',
      '$$',
      '$a$',
      '--',
      '\n',
      '/*',
      '*/',
      '(',
      ')',
      'BEGIN',
      'CREATE FUNCTION',
      ' ',
      'ä😀',
      '\\',
      'e',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const sql = pieces.join('');
        let end = 0;
        for (const { text, offset } of sqlScript(sql).statements) {
          expect(sql.slice(offset, offset + text.length)).toBe(text);
          expect(offset).toBeGreaterThanOrEqual(end);
          end = offset + text.length;
        }
      }),
      { seed: 20_261_120, numRuns: 2000 },
    );
  });

  it('lines and columns count from 1, characters and not code units', () => {
    const sql = 'a\n😀ä b';
    expect(placeInText(sql, 0)).toEqual({ line: 1, column: 1 });
    expect(placeInText(sql, sql.indexOf('b'))).toEqual({ line: 2, column: 4 });
  });
});
