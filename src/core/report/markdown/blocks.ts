import { markdownTable } from 'markdown-table';
import { columnsOf, visibleLines } from '../../format/text.ts';
import type { Block, Inline, Mark, Table } from '../document.ts';
import { linkTarget } from '../links.ts';
import { barLines } from './bars.ts';
import { codeSpan, codeSpanInTable, escapeLine, escapeText } from './escape.ts';

/** Empty for a picture that Markdown cannot draw: the table beside it says the same. */
export function blockMarkdown(content: Block): string {
  switch (content.kind) {
    case 'heading':
      return `### ${inlineMarkdown(content.text)}`;
    case 'caption':
      return `**${inlineMarkdown(content.text)}**`;
    case 'paragraph':
      return escapeLine(inlineMarkdown(content.text));
    case 'warning':
      return `> [!WARNING]\n> ${inlineMarkdown(content.text)}`;
    case 'list':
      return content.items.map((item) => `- ${inlineMarkdown(item)}`).join('\n');
    case 'code':
      return fenced(content.language, content.text);
    case 'table':
      return table(content.table);
    case 'bars':
      return fenced('', barLines(content.bars).join('\n'));
    case 'intervals':
      return '';
    case 'details': {
      const inner = content.blocks
        .map(blockMarkdown)
        .filter((each) => each !== '')
        .join('\n\n');
      if (inner === '') return '';
      return `<details><summary>${inlineMarkdown(content.summary)}</summary>\n\n${inner}\n\n</details>`;
    }
  }
}

function fenced(language: string, text: string): string {
  const lines = visibleLines(text);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [fence + language, ...lines, fence].join('\n');
}

function table({ columns, rows }: Table): string {
  const cells = rows.map(({ cells: row, tone }) =>
    row.map((cell) => {
      const text = inlineMarkdown(cell, true);
      return tone === 'best' && text !== '' ? `**${text}**` : text;
    }),
  );
  return markdownTable([columns.map(({ title }) => inlineMarkdown(title, true)), ...cells], {
    align: columns.map(({ align }) => (align === 'right' ? 'r' : '')),
    stringLength: columnsOf,
  });
}

const emoji: Record<Mark, string> = { fail: '🔴', pass: '🟢', undecided: '🟡', invalid: '❌', none: '⚪' };

export function inlineMarkdown(content: Inline, inTable = false): string {
  if (typeof content === 'string') return escapeText(content);
  if (Array.isArray(content)) return content.map((part) => inlineMarkdown(part, inTable)).join('');
  if ('code' in content) return (inTable ? codeSpanInTable : codeSpan)(content.code);
  if ('strong' in content) return `**${inlineMarkdown(content.strong, inTable).trim()}**`;
  if ('mark' in content) return emoji[content.mark];
  return `[${escapeText(content.text)}](${linkTarget(content.file)})`;
}
