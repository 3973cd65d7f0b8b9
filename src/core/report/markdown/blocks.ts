import { markdownTable } from 'markdown-table';
import { columnsOf, visibleLines } from '../../format/text.ts';
import type { Block, Inline, Mark, Table } from '../document.ts';
import { linkTarget, webTarget } from '../links.ts';
import { barLines } from './bars.ts';
import { codeSpan, codeSpanInTable, escapeHtmlText, escapeLine, escapeText, fenceFor } from './escape.ts';

/** Empty for a picture that Markdown cannot draw: the table beside it says the same. */
export function blockMarkdown(content: Block): string {
  return blockMarkdownAt(3, content);
}

/** The same where its headings are of another level: 3 is `###`. */
export function blockMarkdownAt(level: number, content: Block): string {
  switch (content.kind) {
    case 'heading':
      return `${'#'.repeat(Math.min(6, level))} ${inlineMarkdown(content.text)}`;
    case 'caption':
      return strong(inlineMarkdown(content.text));
    case 'paragraph':
      return lineMarkdown(content.text);
    case 'warning':
      return `> [!WARNING]\n> ${lineMarkdown(content.text)}`;
    case 'list':
      return content.items.map((item) => `- ${lineMarkdown(item)}`).join('\n');
    case 'code':
      return fenced(content.language, content.text);
    case 'table':
      return table(content.table);
    case 'bars':
      return fenced('', barLines(content.bars).join('\n'));
    case 'intervals':
    case 'interval-legend':
    case 'picture':
      return '';
    case 'details': {
      const inner = content.blocks
        .map((each) => blockMarkdownAt(level, each))
        .filter((each) => each !== '')
        .join('\n\n');
      if (inner === '') return '';
      return `<details><summary>${inlineHtml(content.summary)}</summary>\n\n${inner}\n\n</details>`;
    }
  }
}

function fenced(language: string, text: string): string {
  const lines = visibleLines(text);
  const fence = fenceFor(text, 3);
  return [fence + language, ...lines, fence].join('\n');
}

/** Columns that cells are padded to: a name of a megabyte would make every other row as long. */
const WIDEST = 200;

function table({ columns, rows }: Table): string {
  const cells = rows.map(({ cells: row, tone }) =>
    row.map((cell) => {
      const text = inlineMarkdown(cell, true);
      return tone === 'best' ? strong(text) : text;
    }),
  );
  return markdownTable([columns.map(({ title }) => inlineMarkdown(title, true)), ...cells], {
    align: columns.map(({ align }) => (align === 'right' ? 'r' : '')),
    stringLength: (cell) => Math.min(columnsOf(cell), WIDEST),
  });
}

const emoji: Record<Mark, string> = { fail: '🔴', pass: '🟢', undecided: '🟡', invalid: '❌', none: '⚪' };

export function inlineMarkdown(content: Inline, inTable = false): string {
  return runsOf(content)
    .map((run) => runMarkdown(run, inTable))
    .join('');
}

function runMarkdown(run: Run, inTable: boolean): string {
  if (typeof run === 'string') return escapeText(run);
  if ('code' in run) return (inTable ? codeSpanInTable : codeSpan)(run.code);
  if ('strong' in run) return strong(inlineMarkdown(run.strong, inTable));
  if ('mark' in run) return emoji[run.mark];
  const target = targetOf(run);
  return target === null ? escapeText(run.text) : `[${escapeText(run.text)}](${target})`;
}

/** What begins a line. */
export function lineMarkdown(content: Inline): string {
  return escapeLine(inlineMarkdown(content));
}

/** For a line that GitHub takes for HTML. */
function inlineHtml(content: Inline): string {
  return runsOf(content).map(runHtml).join('');
}

function runHtml(run: Run): string {
  if (typeof run === 'string') return escapeHtmlText(run);
  if ('code' in run) return `<code>${escapeHtmlText(run.code)}</code>`;
  if ('strong' in run) return `<strong>${inlineHtml(run.strong)}</strong>`;
  if ('mark' in run) return emoji[run.mark];
  const target = targetOf(run);
  const text = escapeHtmlText(run.text);
  return target === null ? text : `<a href="${escapeHtmlAttribute(target)}">${text}</a>`;
}

function targetOf(link: { file: string } | { url: string }): string | null {
  return 'url' in link ? webTarget(link.url) : linkTarget(link.file);
}

/** Of an address, in which nothing else is left to escape. */
function escapeHtmlAttribute(target: string): string {
  return target.replaceAll('&', '&amp;');
}

type Run = Exclude<Inline, Inline[]>;

/** Texts that stand side by side are one: `:ta` and `da:` would name a picture together. */
function runsOf(content: Inline): Run[] {
  if (!Array.isArray(content)) return [content];
  const runs: Run[] = [];
  for (const run of content.flatMap(runsOf)) {
    const last = runs.at(-1);
    if (typeof run === 'string' && typeof last === 'string') runs[runs.length - 1] = last + run;
    else if (run !== '') runs.push(run);
  }
  return runs;
}

/** Asterisks around nothing, or beside a space inside, would stand there as they are. */
function strong(markdown: string): string {
  const text = markdown.trim();
  return text === '' ? '' : `**${text}**`;
}
