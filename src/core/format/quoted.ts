/** A value as it stands in a message: on one line, quoted by backticks, 60 characters at most. */
export function quoted(value: unknown): string {
  let text: string;
  if (typeof value === 'string') text = value;
  else if (Array.isArray(value)) text = value.length === 0 ? '[]' : 'a list';
  else if (value !== null && typeof value === 'object') text = Object.keys(value).length === 0 ? '{}' : 'a map';
  else text = String(value);
  if (text === 'a list' || text === 'a map') return text;
  if (text === '') return 'empty';
  const line = printable(text.replaceAll(/\s+/g, ' ')).replaceAll('`', "'");
  return `\`${line.length > 60 ? `${line.slice(0, 59)}…` : line}\``;
}

/** Without anything that a terminal or a log could take for a command. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return text.replaceAll(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
