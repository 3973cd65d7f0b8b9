/** The words of a line as a shell and Compose split it: quotes hold them together, a backslash keeps what follows. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    if (quote !== '' && character === quote) quote = '';
    else if (quote === '' && /["']/.test(character)) {
      quote = character;
      word ??= '';
    } else if (character === '\\' && quote !== "'") {
      at += 1;
      word = (word ?? '') + (line[at] ?? '').replace('\n', '');
    } else if (quote === '' && /\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + character;
  }
  return word === null ? words : [...words, word];
}
