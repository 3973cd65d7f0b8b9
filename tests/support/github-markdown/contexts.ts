import { visible, visibleLines } from '../../../src/core/format/text.ts';
import { commentText } from '../../../src/core/posting/sticky-comment.ts';
import type { Block, Inline } from '../../../src/core/report/document.ts';
import { blockMarkdown, inlineMarkdown } from '../../../src/core/report/markdown/blocks.ts';

/** A place of our Markdown where a text of others may stand, and how a reader sees it there; null where it is cut. */
export interface Context {
  name: string;
  markdown(text: string): string;
  seen(text: string): string | null;
}

const oneLine = (text: string) => visible(text).trim();
const block = (name: string, of: (text: string) => Block, seen: Context['seen'] = oneLine): Context => ({
  name,
  markdown: (text) => blockMarkdown(of(text)),
  seen,
});
const paragraph = (name: string, of: (text: string) => Inline, seen = oneLine) =>
  block(name, (text) => ({ kind: 'paragraph', text: of(text) }), seen);
const table = (title: Inline, cell: Inline, tone: 'plain' | 'best' = 'plain'): Block => ({
  kind: 'table',
  table: {
    label: '',
    columns: [
      { title, align: 'left' },
      { title: 'b', align: 'right' },
    ],
    rows: [{ cells: [cell, 'c'], tone }],
  },
});
const section = { specName: 'api', run: 1, attempt: 1, sha: 'a'.repeat(40), weight: 0 };

export const contexts: readonly Context[] = [
  paragraph('a paragraph', (text) => text),
  paragraph(
    'a paragraph, after words of ours',
    (text) => ['said: ', text],
    (text) => `said: ${oneLine(text)}`,
  ),
  paragraph('a paragraph, in two parts', (text) => [text.slice(0, text.length / 2), text.slice(text.length / 2)]),
  paragraph(
    'strong words',
    (text) => [{ strong: text }, ' (x)'],
    (text) => `${oneLine(text)} (x)`,
  ),
  paragraph(
    'code',
    (text) => ['x ', { code: text }, ' y'],
    (text) => `x ${visible(text)} y`,
  ),
  paragraph('code that begins a line', (text) => ({ code: text })),
  paragraph(
    'code between two texts',
    (text) => [text, { code: 'x' }, text],
    (text) => `${visible(text)}x${visible(text)}`.trim(),
  ),
  paragraph('the text of a link', (text) => ({ file: 'raw/a.txt', text })),
  paragraph('the text of a link elsewhere', (text) => ({ url: 'https://acme.example/run?a=b', text })),
  paragraph(
    'a text before a link',
    (text) => [text, { file: 'run.json', text: 'x' }],
    (text) => `${visible(text).trimStart()}x`,
  ),
  block('a heading', (text) => ({ kind: 'heading', text })),
  block(
    'code in a heading',
    (text) => ({ kind: 'heading', text: ['x ', { code: text }] }),
    (text) => `x ${visible(text)}`.trimEnd(),
  ),
  block('a caption', (text) => ({ kind: 'caption', text })),
  block(
    'a warning',
    (text) => ({ kind: 'warning', text }),
    (text) => `[!WARNING]\n${oneLine(text)}`,
  ),
  block('the item of a list', (text) => ({ kind: 'list', items: [text] })),
  block(
    'a later item of a list',
    (text) => ({ kind: 'list', items: ['x', text, 'y'] }),
    (text) => `x\n${oneLine(text)}\ny`,
  ),
  block(
    'the cell of a table',
    (text) => table('a', text),
    (text) => `a\nb\n\n${oneLine(text)}\nc`,
  ),
  block(
    'the best cell of a table',
    (text) => table('a', text, 'best'),
    (text) => `a\nb\n\n${oneLine(text)}\nc`,
  ),
  block(
    'code in a cell',
    (text) => table('a', { code: text }),
    (text) => `a\nb\n\n${visible(text)}\nc`,
  ),
  block(
    'the title of a column',
    (text) => table(text, 'x'),
    (text) => `${oneLine(text)}\nb\n\nx\nc`,
  ),
  block(
    'a log',
    (text) => ({ kind: 'code', language: '', text }),
    (text) => visibleLines(text).join('\n').trim(),
  ),
  block(
    'the label of a bar',
    (text) => ({ kind: 'bars', bars: [{ label: text, value: 1, figure: '1', tone: 'plain' }] }),
    () => null,
  ),
  block(
    'what folds the rest away',
    (text) => ({ kind: 'details', summary: text, blocks: [{ kind: 'paragraph', text: 'x' }] }),
    (text) => `${visible(text)}x`.trim(),
  ),
  {
    name: 'the headline of a comment',
    markdown: (text) => commentText([{ ...section, headline: `🔴 ${inlineMarkdown(text)}`, body: '' }]),
    seen: (text) => `🔴 ${visible(text)}`.trim(),
  },
];
