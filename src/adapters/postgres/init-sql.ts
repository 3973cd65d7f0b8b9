import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type pg from 'pg';
import { TestbedError } from '../../app/ports/testbed.ts';
import { closeConnection, type DatabaseAddress, describe, openConnection } from './ready-connection.ts';
import { placeInText, type SqlStatement, splitSql } from './sql-statements.ts';

export interface InitSql {
  /** As the spec names them, in the order that they run. */
  files: string[];
  /** Folder that the names are relative to. */
  directory: string;
}

/**
 * Runs each statement of each file, in order, each in a transaction of its own, all on one connection of their own: what
 * a file sets for its session (pg_dump empties the search path) stays in it.
 * Rejects with `TestbedError` 'init-sql-failed' naming file, line and column, or with the signal's reason when aborted.
 */
export async function runInitSql(address: DatabaseAddress, init: InitSql, signal: AbortSignal): Promise<void> {
  if (init.files.length === 0) return;
  const client = await openConnection(address, signal);
  // pg destroys the socket of a connection that is ended in the middle of a query, which rejects that query.
  const abort = () => void closeConnection(client);
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (const file of init.files) {
      const sql = await readSql(file, init.directory);
      for (const statement of splitSql(sql)) {
        signal.throwIfAborted();
        await runStatement(client, file, sql, statement, signal);
      }
    }
  } finally {
    signal.removeEventListener('abort', abort);
    await closeConnection(client);
  }
}

async function readSql(file: string, directory: string): Promise<string> {
  const path = isAbsolute(file) ? file : join(directory, file);
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    throw new TestbedError(
      'init-sql-failed',
      `The init file ${file} cannot be read (${describe(error)}). Its path is relative to the spec file; looked for ${path}.`,
    );
  }
}

async function runStatement(
  client: pg.Client,
  file: string,
  sql: string,
  statement: SqlStatement,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.query(statement.text);
  } catch (error) {
    signal.throwIfAborted();
    throw initFailure(file, sql, statement, error);
  }
}

function initFailure(file: string, sql: string, statement: SqlStatement, error: unknown): TestbedError {
  const { position, hint, detail } = error as Partial<pg.DatabaseError>;
  const within = position === undefined ? 0 : offsetOfCharacter(statement.text, Number(position));
  const { line, column } = placeInText(sql, statement.offset + within);
  const parts = [`${file}:${line}:${column}: ${describe(error)}`];
  if (detail) parts.push(detail);
  if (hint) parts.push(`Hint: ${hint}`);
  const own = ownHint(statement.text, within);
  if (own) parts.push(own);
  return new TestbedError('init-sql-failed', `The init SQL failed at ${parts.map(endSentence).join(' ')}`);
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

function ownHint(statement: string, within: number): string | null {
  if (/^copy\b[\s\S]*\bfrom\s+stdin\b/i.test(statement) || /^\S*\t|^\\\./m.test(statement)) {
    return 'Data after COPY … FROM stdin is read by psql only: write INSERT statements (pg_dump --inserts).';
  }
  if (statement[within] === '\\') {
    return 'Lines that begin with a backslash are commands of psql, not SQL: take them out.';
  }
  return null;
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
