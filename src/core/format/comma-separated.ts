/** Rows in RFC 4180's form. */
export function commaSeparated(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(content: string | number): string {
  return typeof content === 'number' ? String(content) : textCell(content);
}

/**
 * A spreadsheet takes a text that begins like a formula for one, quoted or not; an apostrophe before it makes it text
 * again: https://owasp.org/www-community/attacks/CSV_Injection
 */
function textCell(text: string): string {
  const guarded = /^\s*[=+\-@|%\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(text) ? `'${text}` : text;
  return /[",;\r\n\t']/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
