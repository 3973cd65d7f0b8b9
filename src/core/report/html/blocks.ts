import { visibleLines } from '../../format/text.ts';
import type { Bar, Block, CellLook, Column, Inline, Mark, Row, Section, Table } from '../document.ts';
import { inlineText } from '../inline-text.ts';
import { linkTarget, webTarget } from '../links.ts';
import { escapeHtml, escapeMarkup } from './escape.ts';
import { intervalLegendHtml, intervalsHtml } from './intervals.ts';
import { barPercent, pictureHtml } from './pictures.ts';

export function sectionHtml({ id, title, blocks }: Section): string {
  return `<section id="${id}">\n<h2>${inlineHtml(title)}</h2>\n${blocks.map(blockHtml).join('\n')}\n</section>`;
}

/** The anchor is inside: a browser that follows a link to it unfolds the section, without a script. */
export function foldedSectionHtml({ id, title, blocks }: Section): string {
  return [
    `<section class="folded"><details><summary><h2>${inlineHtml(title)}</h2></summary>`,
    `<div id="${id}">\n${blocks.map(blockHtml).join('\n')}\n</div></details></section>`,
  ].join('\n');
}

/** One block; `sectionHtml` for those under a title. */
export function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h3>${inlineHtml(block.text)}</h3>`;
    case 'caption':
      return `<p class="caption">${inlineHtml(block.text)}</p>`;
    case 'paragraph':
      return `<p>${inlineHtml(block.text)}</p>`;
    case 'warning':
      return `<p class="warning">${inlineHtml(block.text)}</p>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${inlineHtml(item)}</li>`).join('')}</ul>`;
    case 'code':
      return `<pre tabindex="0"><code>${visibleLines(block.text).map(escapeMarkup).join('\n')}</code></pre>`;
    case 'table':
      return tableHtml(block.table);
    case 'bars':
      return barsHtml(block.bars);
    case 'intervals':
      return intervalsHtml(block.chart);
    case 'interval-legend':
      return intervalLegendHtml;
    case 'picture':
      return pictureHtml(block.picture);
    case 'details':
      return `<details><summary>${inlineHtml(block.summary)}</summary>\n${block.blocks.map(blockHtml).join('\n')}\n</details>`;
  }
}

/** Characters from which a name would take a line for each word beside wide figures. */
const LONG_NAME = 28;

/** In a region of its own that scrolls, by keyboard too, where the table is wider than the screen. */
function tableHtml({ label, id, columns, rows, mixed, wraps, stacks }: Table): string {
  const head = columns.map(({ title, align }) => {
    const text = inlineHtml(title);
    return text === '' ? '<td></td>' : `<th scope="col" class="${align}">${text}</th>`;
  });
  const isLong = rows.some(({ cells: [first = ''] }) => inlineText(first).length > LONG_NAME);
  const kind = `${isLong ? ' long' : ''}${wraps ? ' wraps' : ''}${stacks ? ' stacks' : ''}`;
  const attributes = `${id === undefined ? '' : ` id="${id}"`}${mixed ? ' class="mixed"' : ''}`;
  return [
    `<div class="scroll${kind}" role="group" tabindex="0" aria-label="${escapeHtml(label)}">`,
    `<table${attributes}><thead><tr>${head.join('')}</tr></thead>`,
    `<tbody>\n${rowsHtml(columns, rows, stacks).join('\n')}\n</tbody></table></div>`,
  ].join('\n');
}

function rowsHtml(columns: Column[], rows: Row[], stacks = false): string[] {
  // Where a head is no longer above its cells, each says what it is.
  const titles = columns.map(({ title }) => (stacks ? ` data-title="${escapeHtml(inlineText(title))}"` : ''));
  let name = '';
  return rows.map(({ cells, tone, unchanged, looks = [] }) => {
    const row = cells.map((cell, index) => {
      const { align } = columns[index]!;
      const text = inlineHtml(cell);
      if (index > 0 || align !== 'left')
        return `<td class="${align}${lookClass(looks[index])}"${titles[index]}>${text}</td>`;
      // What goes on for several rows is named once; whoever hears a row, or sorts them, needs the name at each.
      const said = text === '' ? `<span class="again">${name}</span>` : text;
      if (text !== '') name = text;
      return `<th scope="row" class="left">${said}</th>`;
    });
    return `<tr class="${tone}"${unchanged ? ' data-unchanged' : ''}>${row.join('')}</tr>`;
  });
}

function lookClass(look: CellLook | undefined): string {
  if (look === undefined || look === null) return '';
  return typeof look === 'number' ? ` heat heat-${look}` : ` ${look}`;
}

/**
 * The picture beside a table that says the same: hidden from those who are read to. Without an attribute for style, which the
 * published pages let nobody have.
 */
function barsHtml(bars: Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ label, value, figure, tone }) => {
    const part = barPercent(value, most);
    return [
      `<span class="bar-label">${escapeHtml(label)}</span>`,
      `<svg class="bar ${tone}"><rect width="${part}%" height="100%"/></svg>`,
      `<span class="bar-figure">${escapeHtml(figure)}</span>`,
    ].join('');
  });
  return `<div class="bars" aria-hidden="true">${rows.join('\n')}</div>`;
}

/** Told apart by their shape as well as by their colour. */
const signs: Record<Mark, string> = { fail: '✗', pass: '✓', undecided: '?', invalid: '!', none: '–' };

export function inlineHtml(content: Inline): string {
  if (typeof content === 'string') return escapeHtml(content);
  if (Array.isArray(content)) return content.map(inlineHtml).join('');
  if ('code' in content) return `<code>${escapeHtml(content.code)}</code>`;
  if ('strong' in content) return `<strong>${inlineHtml(content.strong)}</strong>`;
  if ('mark' in content) return `<span class="mark ${content.mark}" aria-hidden="true">${signs[content.mark]}</span>`;
  const target = 'url' in content ? webTarget(content.url) : linkTarget(content.file);
  const text = escapeHtml(content.text);
  return target === null ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
}
