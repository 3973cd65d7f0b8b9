import type pg from 'pg';
import { TestbedError } from '../../app/ports/testbed.ts';
import { ended } from '../../core/format/sentence.ts';
import { describe } from './ready-connection.ts';
import { placeInText, type SqlStatement } from './sql-statements.ts';

/** What Postgres says of a statement, with its place in the file and what to do where we know it. */
export function statementFailure(file: string, sql: string, statement: SqlStatement, error: unknown): TestbedError {
  const { position, hint, detail } = error as Partial<pg.DatabaseError>;
  const within = position === undefined ? 0 : offsetOfCharacter(statement.text, Number(position));
  const { line, column } = placeInText(sql, statement.offset + within);
  return initFailure(`${file}:${line}:${column}`, { message: describe(error), detail, hint });
}

/** The first that a file has and that nothing here can run. */
export function noPsql(file: string, sql: string, { text, offset }: SqlStatement): TestbedError {
  const { line, column } = placeInText(sql, offset);
  const what = text.startsWith('\\')
    ? `${text.split(/\s/)[0]} is a command of psql`
    : 'COPY … FROM stdin reads its data by psql';
  const next = text.startsWith('\\')
    ? 'Lines that begin with a backslash are commands of psql, not SQL: take them out.'
    : 'Write INSERT statements (pg_dump --inserts).';
  const message = `${what}, and there is no psql beside the server`;
  return initFailure(`${file}:${line}:${column}`, { message, detail: next });
}

interface Said {
  message: string;
  detail?: string | undefined;
  hint?: string | undefined;
}

export function initFailure(place: string, { message, detail, hint }: Said): TestbedError {
  const own = ownHint(message);
  const parts = [`${place}: ${message}`];
  if (detail) parts.push(detail);
  if (hint) parts.push(`Hint: ${hint}`);
  if (own) parts.push(own);
  return new TestbedError('init-sql-failed', `${INIT_SQL}failed at ${parts.map(ended).join(' ')}`);
}

const INIT_SQL = 'The init SQL ';
const INIT_FILE = 'The init file ';

/** The message of such a failure where the SQL is not that of `database.init`, and said to be whose it is. */
export function withoutInitWords(message: string): string {
  if (message.startsWith(INIT_SQL)) return message.slice(INIT_SQL.length);
  return message.startsWith(INIT_FILE) ? `the file ${message.slice(INIT_FILE.length)}` : message;
}

/** Postgres counts characters from 1; JavaScript counts UTF-16 units from 0. */
function offsetOfCharacter(text: string, position: number): number {
  let units = 0;
  let characters = 1;
  for (const character of text) {
    if (characters >= position) break;
    characters += 1;
    units += character.length;
  }
  return units;
}

function ownHint(message: string): string | null {
  const role = /^role "(.+)" does not exist$/.exec(message)?.[1];
  if (role === undefined) return null;
  const name = `"${role.replaceAll('"', '""')}"`;
  return (
    'A dump names the owner that its database had: dump with pg_dump --no-owner --no-privileges, give the service that name ' +
    `(\`database.user: ${role}\`), or create the role in a file before this one (CREATE ROLE ${name})`
  );
}
