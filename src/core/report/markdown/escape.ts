import { visible } from '../../format/text.ts';

/**
 * Plain text for GitHub's Markdown, on one line: a reader sees what went in, and nothing in it becomes markup, a cell's
 * end, a mention, a reference, a picture or a link. At the start of a line it goes through `escapeLine` as well.
 */
export function escapeText(text: string): string {
  const escaped = withEntities(visible(text))
    .replace(/[\\`*_{}[\]|~]/g, '\\$&')
    // At the end of a heading they would belong to its frame.
    .replace(/(?<=^|\s)#+(?=\s*$)/, '\\$&')
    // Before a link of ours it would make a picture of it.
    .replace(/!(?=\\\[|$)/g, '\\!');
  return unlinked(escaped).replaceAll('$', () => '<span>\\$</span>');
}

/** The same where GitHub takes the line for HTML, in which a backslash escapes nothing: what is between two tags of ours. */
export function escapeHtmlText(text: string): string {
  return unlinked(withEntities(visible(text))).replaceAll('$', () => '<span>$</span>');
}

function withEntities(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/**
 * Without what GitHub finds in a text after it is rendered, where a backslash is gone: links, addresses, mentions, issues,
 * pictures by name, hashes of commits. A zero-width space breaks most of them, behind whatever letter they stand; a hash,
 * which readers copy, is code. For the dollar, of which formulas are made, GitHub itself asks for an element:
 * https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/writing-mathematical-expressions
 */
function unlinked(escaped: string): string {
  return (
    escaped
      .replace(/@(?=\S)/g, '@\u200b')
      .replace(/#(?=\d)/g, '#\u200b')
      .replace(/GH-(?=\d)/gi, '$&\u200b')
      // No picture has a name of two digits, as every time of day does.
      .replace(/:(?=\/\/|(?!\d\d?:)(?:\\?[\w+-])+:)/g, ':\u200b')
      .replace(/www(?=\.)/gi, '$&\u200b')
      .replace(/[0-9a-z]+(?:-[0-9a-z]+)*/gi, (word) => (COMMIT.test(word) ? `<code>${word}</code>` : word))
  );
}

/** GitHub links a hash by its first seven digits. */
const COMMIT = /(?:^|-)[0-9a-f]{7,40}(?:-|$)/i;

/** Markdown that begins a line, or a list's item, or goes on in a quote: neither heading, list, rule, table nor code. */
export function escapeLine(line: string): string {
  return line.trimStart().replace(/^(?:\d+(?=[.)])|(?=[-+=:]|#{1,6}(?:\s|$)))/, '$&\\');
}

/** A code span, in a table or not: its fence is longer than any run of backticks in it. */
export function codeSpan(text: string): string {
  const shown = visible(text);
  if (shown.trim() === '') return '';
  const fence = fenceFor(shown, 1);
  const padding = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return `${fence}${padding}${shown}${padding}${fence}`;
}

/** Backticks, `fewest` at least, and more than the text has anywhere in a row. */
export function fenceFor(text: string, fewest: number): string {
  let length = fewest;
  // One by one: a log may have more of them than a call takes arguments.
  for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
  return '`'.repeat(length);
}

/**
 * As `codeSpan`; GitHub splits a row's cells before it looks for code, so pipes are escaped in code as well. A backslash of
 * the text's own before one would, to some, escape that escape: a zero-width space keeps the two apart.
 */
export function codeSpanInTable(text: string): string {
  return codeSpan(text).replaceAll('\\|', '\\\u200b|').replaceAll('|', '\\|');
}
