/** With the full stop that a text of others may have already, or a question mark instead: `… did you mean \`connections\`?`. */
export function ended(text: string): string {
  return /[.!?…]$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`;
}
