import { visible } from '../../format/text.ts';

/**
 * Plain text for GitHub's Markdown, on one line: nothing in it becomes markup, a cell's end, a mention, a reference to an
 * issue or a link. A zero-width space breaks those that GitHub finds after rendering, where a backslash is gone.
 */
export function escapeText(text: string): string {
  return visible(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_{}[\]|~$]/g, '\\$&')
    .replace(/@(?=\w)/g, '@\u200b')
    .replace(/#(?=\d)/g, '#\u200b')
    .replace(/\b(GH-)(?=\d)/gi, '$1\u200b')
    .replace(/:\/\//g, ':\u200b//')
    .replace(/\bwww\./gi, (found) => `${found.slice(0, 3)}\u200b.`);
}

/** At the start of a line a few more would be markup: headings, lists, rules. */
export function escapeLine(line: string): string {
  return line.replace(/^\s*(#{1,6}(?=\s|$)|[-+=](?=\s|$)|[-=]{3,}|\d+(?=[.)]))/, (found) =>
    /^\d/.test(found.trim()) ? `${found}\\` : found.replace(/[#+=-]/, '\\$&'),
  );
}

/** A code span, in a table or not: its fence is longer than any run of backticks in it. */
export function codeSpan(text: string): string {
  const shown = visible(text);
  if (shown.trim() === '') return '';
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return `${fence}${padding}${shown}${padding}${fence}`;
}

/** As `codeSpan`; GitHub splits a row's cells before it looks for code, so pipes are escaped in code as well. */
export function codeSpanInTable(text: string): string {
  return codeSpan(text).replaceAll('|', '\\|');
}
