// needs: postgres
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { never } from '../process-runtime/given.ts';
import { connectAsService, setUp, withServer } from './given.ts';

const CASES = 'fixtures/cases/sql';
const directoryOfCases = join(process.cwd(), CASES);

function folderWith(files: Record<string, string | Uint8Array>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

/** Rows of a query, after these files have run. */
async function rowsAfter(files: string[], directory: string, query: string): Promise<unknown[]> {
  return await withServer({}, async (server) => {
    const session = await setUp(server, files, directory);
    const client = await connectAsService(server);
    const { rows } = await client.query({ text: query, rowMode: 'array' });
    await client.end();
    await session.close();
    return rows;
  });
}

/** What the set-up rejects with. */
async function refusal(files: string[], directory: string, hasPsql = true): Promise<string> {
  return await withServer({}, async (server) => {
    const outcome = setUp(server, files, directory, never(), hasPsql ? server.psql : async () => null);
    return await outcome.then(
      () => 'nothing was refused',
      (error: Error) => error.message,
    );
  });
}

describe('a dump of pg_dump', () => {
  it('has its \\restrict lines skipped, with psql and without', async () => {
    expect(await rowsAfter(['dump.sql', 'seed.sql'], directoryOfCases, 'SELECT id, name FROM users')).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    expect(await refusal(['dump.sql'], directoryOfCases, false)).toBe('nothing was refused');
  });

  it('leaves its empty search path to itself: each file has a session of its own', async () => {
    expect(
      await rowsAfter(['dump-plain.sql', 'seed.sql'], directoryOfCases, 'SELECT count(*)::int FROM users'),
    ).toEqual([[2]]);
  });

  it('brings its data by COPY, read by psql: with tabs, backslashes, quotes and what looks like a command', async () => {
    const dump = [
      '\\restrict abc',
      "SELECT pg_catalog.set_config('search_path', '', false);",
      'CREATE TABLE public.users (id int, name text);',
      'COPY public.users (id, name) FROM stdin;',
      "1\tO'Hara; \\\\restrict",
      '2\t\\N',
      '3\tJürgen 😀',
      '\\.',
      'ALTER TABLE ONLY public.users ADD PRIMARY KEY (id);',
      '\\unrestrict abc',
      '',
    ].join('\n');
    const directory = folderWith({ 'dump.sql': dump, 'after.sql': "INSERT INTO users VALUES (4, 'after');" });
    expect(await rowsAfter(['dump.sql', 'after.sql'], directory, 'SELECT id, name FROM users ORDER BY id')).toEqual([
      [1, "O'Hara; \\restrict"],
      [2, null],
      [3, 'Jürgen 😀'],
      [4, 'after'],
    ]);
  });

  it('whose owner is not here is refused with what to do', async () => {
    const directory = folderWith({ 'dump.sql': 'CREATE TABLE a (id int);\nALTER TABLE a OWNER TO "shop owner";' });
    expect(await refusal(['dump.sql'], directory)).toBe(
      'The init SQL failed at dump.sql:2:1: role "shop owner" does not exist. A dump names the owner that its database had: ' +
        'dump with pg_dump --no-owner --no-privileges, give the service that name (`database.user: shop owner`), or create the ' +
        'role in a file before this one (CREATE ROLE "shop owner").',
    );
    const byPsql = folderWith({ 'dump.sql': 'CREATE TABLE a (id int);\n\\set x 1\nGRANT ALL ON a TO reader;' });
    expect(await refusal(['dump.sql'], byPsql)).toContain(
      'dump.sql:3: role "reader" does not exist. A dump names the owner',
    );
  });
});

describe('commands of psql', () => {
  it('run by psql: \\set, \\c, \\if, \\gexec', async () => {
    const sql = `\\set number 7
\\c bench
CREATE TABLE made (id int);
\\if true
INSERT INTO made VALUES (:number);
\\else
INSERT INTO made VALUES (0);
\\endif
SELECT format('INSERT INTO made VALUES (%s)', n) FROM generate_series(8, 9) n \\gexec
`;
    expect(await rowsAfter(['a.sql'], folderWith({ 'a.sql': sql }), 'SELECT id FROM made')).toEqual([[7], [8], [9]]);
  });

  it('\\copy reads a file beside the SQL', async () => {
    const sql = `CREATE TABLE users (id int, name text);
\\copy users from 'users.csv' with (format csv, header)
\\copy users (name) from names.txt
SELECT 1;
`;
    const directory = folderWith({ 'a.sql': sql, 'users.csv': 'id,name\n1,"a, b"\n2,c', 'names.txt': 'd\n' });
    expect(await rowsAfter(['a.sql'], directory, 'SELECT id, name FROM users')).toEqual([
      [1, 'a, b'],
      [2, 'c'],
      [null, 'd'],
    ]);
  });

  it('\\copy reads nothing that lies elsewhere, not by a link either', async () => {
    const outer = folderWith({ 'secret.txt': 'secret\n' });
    const directory = join(outer, 'sql');
    mkdirSync(directory);
    symlinkSync('../secret.txt', join(directory, 'link.txt'));
    for (const name of ['../secret.txt', 'link.txt', join(outer, 'secret.txt')]) {
      writeFileSync(join(directory, 'a.sql'), `CREATE TABLE t (a text);\n\\copy t from '${name}'\n`);
      expect(await refusal(['a.sql'], directory)).toBe(
        `The init SQL failed at a.sql:2:1: \\copy cannot read its data: ${name} lies elsewhere: data must lie in the folder of the SQL file, or below.`,
      );
    }
  });

  it.each([
    [
      'an error of SQL, with the line of the file behind data that came from another',
      'CREATE TABLE t (a int);\n\\copy t from data.txt\nSELECT 1;\nCRATE;\n',
      'The init SQL failed at a.sql:4: syntax error at or near "CRATE".',
    ],
    [
      'data that do not fit',
      'CREATE TABLE t (a int);\nCOPY t FROM stdin;\nx\n\\.\n',
      'The init SQL failed at a.sql:4: invalid input syntax for type integer: "x". In the data of COPY t, line 1, column a: "x".',
    ],
    [
      'a file that \\i names',
      'SELECT 1;\n\\i more.sql\n',
      'The init SQL failed at a.sql:2: more.sql: No such file or directory. Hint: A file that \\i or \\ir names is not there for psql: name it in database.init.',
    ],
    ['a database that is not there', '\\connect other\n', 'The init SQL failed at a.sql:1: '],
  ])('%s', async (_name, sql, message) => {
    const said = await refusal(['a.sql'], folderWith({ 'a.sql': sql, 'data.txt': '1\n2\n3\n' }));
    expect(said.slice(0, message.length)).toBe(message);
  });

  it.each([
    [
      'SELECT 1;\n\\connect other\n',
      '\\connect is a command of psql, and there is no psql beside the server. Lines that begin with a backslash are commands of psql, not SQL: take them out.',
    ],
    [
      'SELECT 1;\nCOPY a (id) FROM stdin;\n1\n\\.\n',
      'COPY … FROM stdin reads its data by psql, and there is no psql beside the server. Write INSERT statements (pg_dump --inserts).',
    ],
  ])('are refused where there is no psql: %j', async (sql, message) => {
    const directory = folderWith({ 'bad.sql': sql });
    expect(await refusal(['bad.sql'], directory, false)).toBe(`The init SQL failed at bad.sql:2:1: ${message}`);
  });
});

describe('text that is not UTF-8', () => {
  const next = 'Save it as UTF-8 (a dump: pg_dump --encoding=UTF8; text in Latin-1: iconv -f LATIN1 -t UTF-8).';

  it('is refused by name, with the place: Latin-1', async () => {
    expect(await refusal(['latin1.sql'], directoryOfCases)).toBe(
      `The init file latin1.sql is not valid UTF-8: byte 32 of line 2 is 0xFC. ${next}`,
    );
  });

  it('is refused in a later file, and behind characters of several bytes', async () => {
    const bad = Buffer.concat([Buffer.from("SELECT 'ä';\r\nSELECT '😀"), Buffer.from([0xe9, 0x27, 0x3b])]);
    const directory = folderWith({ 'good.sql': "SELECT 'ü';", 'bad.sql': bad });
    expect(await refusal(['good.sql', 'bad.sql'], directory)).toBe(
      `The init file bad.sql is not valid UTF-8: byte 13 of line 2 is 0xE9. ${next}`,
    );
  });

  it('is named as UTF-16, with its mark and without', async () => {
    const text = Buffer.from("\uFEFFINSERT INTO users VALUES (1, 'a');", 'utf16le');
    const directory = folderWith({ 'a.sql': text, 'b.sql': text.subarray(2), 'c.sql': Buffer.from(text).swap16() });
    for (const name of ['a.sql', 'b.sql', 'c.sql']) {
      expect(await refusal([name], directory)).toBe(`The init file ${name} is UTF-16. Save it as UTF-8.`);
    }
  });
});
