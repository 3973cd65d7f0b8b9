/** That what was printed last follows. */
const ANNOUNCES_LOG = / Its last (?:log lines say why\.|lines:)$/;

/** The first line of a message, without the lines of a log under it and without announcing them. */
export function withoutLog(message: string): string {
  return message.split(/\r?\n/, 1)[0]!.replace(ANNOUNCES_LOG, '');
}

/** With the full stop that a text of others may have already, or a question mark instead: `… did you mean \`connections\`?`. */
export function ended(text: string): string {
  return /[.!?…]$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`;
}
