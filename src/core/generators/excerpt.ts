const LONGEST = 80;

/** The first line that says something, for a sentence: “…” cut to size, or that there is nothing. */
export function beginningOf(text: string): string {
  const line = text
    .split('\n')
    .map((candidate) => candidate.trim())
    .find((candidate) => candidate !== '');
  if (line === undefined) return 'the text is empty';
  return `the text begins with “${line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line}”`;
}

/** The last lines that a generator printed before it gave up, on one line; '' where it printed none. */
export function lastWords(text: string, lines = 3): string {
  const said = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return said
    .slice(-lines)
    .join(' / ')
    .slice(0, 4 * LONGEST);
}
