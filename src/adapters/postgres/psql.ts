import { TestbedError } from '../../app/ports/testbed.ts';
import { initFailure } from './init-failure.ts';
import { type InitFile, readDataFile } from './init-file.ts';
import { describe } from './ready-connection.ts';
import { placeInText, type SqlScript, type SqlStatement } from './sql-statements.ts';

/**
 * psql beside the server, as whoever the server trusts: SQL runs programs there as well, so a script gets no further by it.
 * Resolves to what it said on standard error where it failed, else to null; `script` comes by standard input.
 */
export type Psql = (script: string, signal: AbortSignal) => Promise<string | null>;

export interface PsqlTarget {
  user: string;
  database: string;
}

/** Without anybody's ~/.psqlrc, and with the end at the first error. */
export function psqlArguments({ user, database }: PsqlTarget): string[] {
  return ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', '-U', user, '-d', database, '-f', '-'];
}

/** Init SQL may load for as long as it takes; the run's own end ends it. */
export const PSQL_TIMEOUT_SECONDS = 24 * 3600;

/** Rejects with `TestbedError` 'init-sql-failed' naming file and line. */
export async function runByPsql(psql: Psql, file: InitFile, script: SqlScript, signal: AbortSignal): Promise<void> {
  const { text, lineOf } = await withData(file, script);
  const said = await psql(text, signal);
  signal.throwIfAborted();
  if (said !== null) throw failureOf(file, said, lineOf);
}

interface WholeText {
  text: string;
  /** Line of the file that a line of the text stands in. */
  lineOf(line: number): number;
}

const COPY_FROM_FILE = /^\\copy\s+(\S[\s\S]*?)\s+from\s+('(?:[^']|'')*'|[^\s']\S*)(?=\s|;|$)([^;]*);?\s*$/i;

/** Data that `\copy` reads from a file stand where the command did: psql may run where that file is not. */
async function withData(file: InitFile, script: SqlScript): Promise<WholeText> {
  const pieces: string[] = [];
  const added: { line: number; lines: number }[] = [];
  let from = 0;
  for (const command of script.commands) {
    const found = COPY_FROM_FILE.exec(command.text);
    const [, what = '', source = '', options = ''] = found ?? [];
    if (found === null || /^(?:stdin|pstdin|program)$/i.test(source)) continue;
    const name = source.startsWith("'") ? source.slice(1, -1).replaceAll("''", "'") : source;
    const data = await dataOf(name, file, script, command);
    pieces.push(script.text.slice(from, command.offset), `COPY ${what} FROM stdin${options.trimEnd()};\n${data}\\.`);
    added.push({ line: placeInText(script.text, command.offset).line, lines: data.split('\n').length });
    from = command.offset + command.text.length;
  }
  pieces.push(script.text.slice(from));
  return { text: pieces.join(''), lineOf: (line) => lineInFile(line, added) };
}

async function dataOf(name: string, file: InitFile, { text }: SqlScript, command: SqlStatement): Promise<string> {
  try {
    const data = await readDataFile(name, file);
    return data === '' || data.endsWith('\n') ? data : `${data}\n`;
  } catch (error) {
    const { line, column } = placeInText(text, command.offset);
    throw initFailure(`${file.name}:${line}:${column}`, { message: `\\copy cannot read its data: ${describe(error)}` });
  }
}

/** Of what was put in, the line of the command. */
function lineInFile(line: number, added: readonly { line: number; lines: number }[]): number {
  let more = 0;
  for (const each of added) {
    if (line <= each.line + more) break;
    if (line <= each.line + more + each.lines) return each.line;
    more += each.lines;
  }
  return line - more;
}

const ERROR = /^psql:(?:<stdin>|-):(\d+): (?:ERROR: {2}|error: |FATAL: {2})?(.*)$/m;

function failureOf(file: InitFile, said: string, lineOf: WholeText['lineOf']): TestbedError {
  const found = ERROR.exec(said);
  if (found === null) {
    return new TestbedError(
      'init-sql-failed',
      `The init SQL failed: psql could not run ${file.name}. It said: ${said.trim()}`,
    );
  }
  const message = found[2]!;
  const field = (name: string) => new RegExp(`^${name}: {2}(.*)$`, 'm').exec(said.slice(found.index))?.[1];
  const isFile = /: No such file or directory$/.test(message);
  const hint = isFile ? 'A file that \\i or \\ir names is not there for psql: name it in database.init' : field('HINT');
  return initFailure(`${file.name}:${lineOf(Number(found[1]))}`, {
    message,
    detail: field('DETAIL') ?? placeInData(field('CONTEXT')),
    hint,
  });
}

/** psql names the line at which the data end. */
function placeInData(context: string | undefined): string | undefined {
  return context?.startsWith('COPY ') === true ? `In the data of ${context}` : undefined;
}
