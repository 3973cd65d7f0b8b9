/** A line of a file, by its number from 1. */
export interface NumberedLine {
  line: number;
  item: string;
}

/** Every line, without its end. */
export function numberedLines(text: string): NumberedLine[] {
  return text.split('\n').map((item, index) => ({ line: index + 1, item: item.replace(/\r$/, '') }));
}

/** Those that hold something, without the blanks around it. */
export function filledLines(text: string): NumberedLine[] {
  return numberedLines(text)
    .map(({ line, item }) => ({ line, item: item.trim() }))
    .filter(({ item }) => item !== '');
}
