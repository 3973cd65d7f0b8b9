/** The number after `key` in a file of `key number` lines; 0 where there is no such line. */
export function value(text: string, key: string): number {
  const start = text.startsWith(`${key} `) ? 0 : text.indexOf(`\n${key} `) + 1;
  if (start === 0 && !text.startsWith(`${key} `)) return 0;
  const end = text.indexOf('\n', start);
  return Number(text.slice(start + key.length + 1, end < 0 ? undefined : end));
}
