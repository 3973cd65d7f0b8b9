/** As a POSIX shell takes it for one word: what is printed to be typed works in a folder with a space in its name too. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
