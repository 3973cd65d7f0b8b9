/** One statement of an SQL file; `offset` is where its first character stands in the file, in UTF-16 units from 0. */
export interface SqlStatement {
  text: string;
  offset: number;
}

/** An SQL file: its statements, and what of it only psql understands. */
export interface SqlScript {
  statements: SqlStatement[];
  /** In the order of the file, each up to the end of its line: `\connect`, `\set`, `\copy`, `\gexec`. */
  commands: SqlStatement[];
  /** `COPY … FROM stdin`, after which its data stand in the file. */
  copies: SqlStatement[];
  /**
   * The text without the `\restrict` and `\unrestrict` that pg_dump writes around everything, all else at its place: they are about
   * other commands of psql, and an older psql does not know them.
   */
  text: string;
}

/** What ends where: each alternative is one token that a semicolon cannot end, or a word, or a single character. */
const TOKEN =
  /--[^\n]*|\/\*|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'?|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|[0-9][\w.]*|\s+|[\s\S]/gy;

const RESTRICTION = /^\\(?:un)?restrict(?:\s|$)/;
const COPY_OF_DATA = /^copy\b[\s\S]*\bfrom\s+stdin\b/i;

/**
 * Splits SQL into statements as psql does, so that each runs in a transaction of its own (VACUUM and CREATE INDEX
 * CONCURRENTLY work) and an error without a position can still be given a line. Knows quotes, dollar quotes, nested
 * comments, parentheses, `BEGIN ATOMIC` bodies and the data of COPY. Statements of comments only are left out.
 */
export function sqlScript(sql: string): SqlScript {
  const statements: SqlStatement[] = [];
  const commands: SqlStatement[] = [];
  const copies: SqlStatement[] = [];
  let text = sql;
  let start = -1;
  let parentheses = 0;
  let words: string[] = [];
  let blocks = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(sql); match; match = TOKEN.exec(sql)) {
    const token = match[0];
    if (token.startsWith('--') || /^\s/.test(token)) continue;
    if (token === '/*') {
      TOKEN.lastIndex = endOfComment(sql, match.index);
      continue;
    }
    if (token === ';' && parentheses === 0 && blocks === 0) {
      if (start >= 0) {
        const statement = { text: sql.slice(start, match.index), offset: start };
        statements.push(statement);
        if (COPY_OF_DATA.test(statement.text)) {
          copies.push(statement);
          TOKEN.lastIndex = endOfData(sql, TOKEN.lastIndex);
        }
      }
      start = -1;
      words = [];
      continue;
    }
    // Outside of quotes no SQL has one.
    if (token === '\\') {
      const command = { text: sql.slice(match.index, endOfLine(sql, match.index)), offset: match.index };
      TOKEN.lastIndex = match.index + command.text.length;
      if (start < 0 && RESTRICTION.test(command.text)) {
        const after = text.slice(TOKEN.lastIndex);
        text = text.slice(0, match.index) + ' '.repeat(command.text.length) + after;
      } else commands.push(command);
      start = -1;
      parentheses = 0;
      words = [];
      continue;
    }
    if (start < 0) start = match.index;
    if (token === '(') parentheses += 1;
    else if (token === ')') parentheses = Math.max(0, parentheses - 1);
    else if (/^\$.*\$$/.test(token)) TOKEN.lastIndex = endOfDollarQuote(sql, TOKEN.lastIndex, token);
    else if (/^[A-Za-z]/.test(token) && !token.includes("'")) {
      const word = token.toUpperCase();
      if (words.length < 4) words.push(word);
      if (isRoutine(words)) {
        if (word === 'BEGIN' || (word === 'CASE' && blocks > 0)) blocks += 1;
        else if (word === 'END' && blocks > 0) blocks -= 1;
      }
    }
  }
  if (start >= 0) statements.push({ text: sql.slice(start), offset: start });
  return { statements, commands, copies, text };
}

/** Line and column from 1 of a place in a text; the column counts characters, not UTF-16 units. */
export function placeInText(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: [...before.slice(lineStart)].length + 1 };
}

function isRoutine(words: string[]): boolean {
  const kind = words[1] === 'OR' ? words[3] : words[1];
  return words[0] === 'CREATE' && (kind === 'FUNCTION' || kind === 'PROCEDURE');
}

function endOfLine(sql: string, from: number): number {
  const end = sql.indexOf('\n', from);
  return end < 0 ? sql.length : end;
}

/** After the line `\.`, or at the end. */
function endOfData(sql: string, from: number): number {
  const end = /^\\\.\r?$/gm;
  end.lastIndex = from;
  const found = end.exec(sql);
  return found === null ? sql.length : end.lastIndex;
}

function endOfComment(sql: string, start: number): number {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = start;
  let depth = 0;
  for (let match = edge.exec(sql); match; match = edge.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return sql.length;
}

function endOfDollarQuote(sql: string, from: number, tag: string): number {
  const end = sql.indexOf(tag, from);
  return end < 0 ? sql.length : end + tag.length;
}
