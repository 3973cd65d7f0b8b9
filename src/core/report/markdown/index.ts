import { markdownTable } from 'markdown-table';
import type { RunRecord } from '../../record/run-record.ts';
import type { Block, Inline, Table } from '../document.ts';
import { linkTarget } from '../links.ts';
import { reportDocument } from '../sections/index.ts';
import { columnsOf, visibleLines } from '../text.ts';
import { barLines } from './bars.ts';
import { codeSpan, codeSpanInTable, escapeLine, escapeText } from './escape.ts';

/** `report.md`, in GitHub's Markdown. */
export function markdown(record: RunRecord): string {
  const report = reportDocument(record);
  const parts = [`# ${inline(report.title)}`, escapeLine(inline(report.headline))];
  for (const { title, blocks } of report.sections) {
    // The first section needs no heading of its own under the title.
    if (title !== 'Summary') parts.push('---', `## ${inline(title)}`);
    parts.push(...blocks.map(block));
  }
  return `${parts.join('\n\n')}\n`;
}

function block(content: Block): string {
  switch (content.kind) {
    case 'heading':
      return `### ${inline(content.text)}`;
    case 'caption':
      return `**${inline(content.text)}**`;
    case 'paragraph':
      return escapeLine(inline(content.text));
    case 'warning':
      return `> [!WARNING]\n> ${inline(content.text)}`;
    case 'list':
      return content.items.map((item) => `- ${inline(item)}`).join('\n');
    case 'code':
      return fenced(content.language, content.text);
    case 'table':
      return table(content.table);
    case 'bars':
      return fenced('', barLines(content.bars).join('\n'));
    case 'details': {
      const inner = content.blocks.map(block).join('\n\n');
      return `<details><summary>${inline(content.summary)}</summary>\n\n${inner}\n\n</details>`;
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
      const text = inline(cell, true);
      return tone === 'best' && text !== '' ? `**${text}**` : text;
    }),
  );
  return markdownTable([columns.map(({ title }) => inline(title, true)), ...cells], {
    align: columns.map(({ align }) => (align === 'right' ? 'r' : '')),
    stringLength: columnsOf,
  });
}

function inline(content: Inline, inTable = false): string {
  if (typeof content === 'string') return escapeText(content);
  if (Array.isArray(content)) return content.map((part) => inline(part, inTable)).join('');
  if ('code' in content) return (inTable ? codeSpanInTable : codeSpan)(content.code);
  if ('strong' in content) return `**${inline(content.strong, inTable).trim()}**`;
  return `[${escapeText(content.text)}](${linkTarget(content.file)})`;
}
