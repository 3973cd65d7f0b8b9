import type pg from 'pg';
import { noPsql, statementFailure } from './init-failure.ts';
import { type InitFile, readInitFile } from './init-file.ts';
import { type Psql, runByPsql } from './psql.ts';
import { closeConnection, type DatabaseAddress, openConnection } from './ready-connection.ts';
import { type SqlScript, type SqlStatement, sqlScript } from './sql-statements.ts';

export interface InitSql {
  /** As the spec names them, in the order that they run. */
  files: string[];
  /** Folder that the names are relative to. */
  directory: string;
  /** For files with commands of psql, or with data; resolves to null where there is none. */
  psql(): Promise<Psql | null>;
}

/**
 * Runs each file in order, each in a session of its own as the official image does: what a dump sets for its session (an empty
 * search path) ends with it. Each statement runs in a transaction of its own.
 * Rejects with `TestbedError` 'init-sql-failed' naming file, line and column, or with the signal's reason when aborted.
 */
export async function runInitSql(address: DatabaseAddress, init: InitSql, signal: AbortSignal): Promise<void> {
  for (const name of init.files) {
    signal.throwIfAborted();
    const file = await readInitFile(name, init.directory);
    const script = sqlScript(file.text);
    const [first] = [...script.commands, ...script.copies].sort((one, other) => one.offset - other.offset);
    if (first === undefined) {
      await runStatements(address, file, script, signal);
      continue;
    }
    const psql = await init.psql();
    if (psql === null) throw noPsql(file.name, file.text, first);
    await runByPsql(psql, file, script, signal);
  }
}

async function runStatements(
  address: DatabaseAddress,
  file: InitFile,
  { statements }: SqlScript,
  signal: AbortSignal,
): Promise<void> {
  const client = await openConnection(address, signal);
  // pg destroys the socket of a connection that is ended in the middle of a query, which rejects that query.
  const abort = () => void closeConnection(client);
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (const statement of statements) {
      signal.throwIfAborted();
      await runStatement(client, file, statement, signal);
    }
  } finally {
    signal.removeEventListener('abort', abort);
    await closeConnection(client);
  }
}

async function runStatement(
  client: pg.Client,
  file: InitFile,
  statement: SqlStatement,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.query(statement.text);
  } catch (error) {
    signal.throwIfAborted();
    throw statementFailure(file.name, file.text, statement, error);
  }
}
