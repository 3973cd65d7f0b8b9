import type { List, Nodes, Parents, Root, Table } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visibleLines } from '../format/text.ts';
import { escapeHtml, escapeMarkup } from '../report/html/escape.ts';

const parser = unified().use(remarkParse).use(remarkGfm);

export interface WrittenText {
  html: string;
  /** Of its first heading; null where it has none. */
  heading: string | null;
}

/**
 * Somebody's Markdown as HTML. Each element is written here, of a short list; raw HTML is shown as the text that it is, a link leads to
 * the web, to mail or to a place beside this page, and a picture, which would ask another server, becomes a link to it.
 */
export function writtenText(markdown: string): WrittenText {
  const root: Root = parser.parse(markdown);
  // Nobody writes such a text for readers.
  if (depthOf(root) > DEEPEST) return { html: `<pre tabindex="0">${lines(markdown)}</pre>\n`, heading: null };
  const definitions = new Map<string, string>();
  visit(root, (node) => {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node.url);
  });
  const first = root.children.find((node) => node.type === 'heading');
  return {
    html: root.children.map((node) => block(node, definitions)).join(''),
    heading: first === undefined ? null : plainText(first).trim() || null,
  };
}

const DEEPEST = 100;

function depthOf(root: Root): number {
  let depth = 0;
  for (let level: Nodes[] = [root]; level.length > 0; depth += 1) {
    level = level.flatMap((node): Nodes[] => ('children' in node ? node.children : []));
  }
  return depth;
}

type Definitions = ReadonlyMap<string, string>;

function block(node: Nodes, definitions: Definitions): string {
  const inline = (parent: Parents) => inlines(parent, definitions);
  const blocks = (parent: Parents) => parent.children.map((child) => block(child, definitions)).join('');
  switch (node.type) {
    case 'heading': {
      // The page has a heading of its own.
      const level = Math.min(6, node.depth + 1);
      return `<h${level}>${inline(node)}</h${level}>\n`;
    }
    case 'paragraph':
      return `<p>${inline(node)}</p>\n`;
    case 'blockquote':
      return `<blockquote>\n${blocks(node)}</blockquote>\n`;
    case 'list':
      return list(node, definitions);
    case 'code':
      return `<pre tabindex="0"><code>${lines(node.value)}\n</code></pre>\n`;
    case 'html':
      return `<p>${escapeHtml(node.value)}</p>\n`;
    case 'thematicBreak':
      return '<hr>\n';
    case 'table':
      return table(node, definitions);
    case 'footnoteDefinition':
      return `<div>${escapeHtml(`[${node.label ?? node.identifier}]`)} ${blocks(node)}</div>\n`;
    case 'definition':
      return '';
    default:
      return inlineOf(node, definitions);
  }
}

function list({ ordered, start, spread, children }: List, definitions: Definitions): string {
  const tag = ordered ? 'ol' : 'ul';
  const from = ordered && typeof start === 'number' && start !== 1 ? ` start="${start}"` : '';
  const items = children.map((item) => {
    const box = item.checked == null ? '' : item.checked ? '☑ ' : '☐ ';
    const loose = spread === true || item.spread === true;
    const parts = item.children.map((child) =>
      child.type === 'paragraph' && !loose ? inlines(child, definitions) : block(child, definitions),
    );
    return `<li>${box}${parts.join('\n').trimEnd()}</li>\n`;
  });
  return `<${tag}${from}>\n${items.join('')}</${tag}>\n`;
}

function table({ children, align }: Table, definitions: Definitions): string {
  const row = (cells: Table['children'][number], tag: 'th' | 'td') => {
    const all = cells.children.map((cell, index) => {
      const side = align?.[index];
      return `<${tag}${side == null || side === 'left' ? '' : ` class="${side}"`}>${inlines(cell, definitions)}</${tag}>`;
    });
    return `<tr>${all.join('')}</tr>\n`;
  };
  const [head, ...body] = children;
  const rows = body.map((cells) => row(cells, 'td')).join('');
  return `<div class="scroll" tabindex="0"><table>\n<thead>\n${head === undefined ? '' : row(head, 'th')}</thead>\n<tbody>\n${rows}</tbody>\n</table></div>\n`;
}

function inlines(parent: Parents, definitions: Definitions): string {
  return parent.children.map((child) => inlineOf(child, definitions)).join('');
}

function inlineOf(node: Nodes, definitions: Definitions): string {
  switch (node.type) {
    case 'text':
    case 'html':
      return escapeHtml(node.value);
    case 'inlineCode':
      return `<code>${escapeHtml(node.value)}</code>`;
    case 'emphasis':
      return `<em>${inlines(node, definitions)}</em>`;
    case 'strong':
      return `<strong>${inlines(node, definitions)}</strong>`;
    case 'delete':
      return `<del>${inlines(node, definitions)}</del>`;
    case 'break':
      return '<br>';
    case 'link':
      return link(node.url, linkText(node, definitions));
    case 'linkReference':
      return link(definitions.get(node.identifier) ?? '', linkText(node, definitions));
    case 'image':
      return link(node.url, escapeHtml(node.alt || 'picture'));
    case 'imageReference':
      return link(definitions.get(node.identifier) ?? '', escapeHtml(node.alt || 'picture'));
    case 'footnoteReference':
      return `<sup>${escapeHtml(`[${node.label ?? node.identifier}]`)}</sup>`;
    default:
      return escapeHtml(plainText(node));
  }
}

/** A picture inside of a link would be a link inside of a link. */
function linkText(node: Parents, definitions: Definitions): string {
  const parts = node.children.map((child) =>
    child.type === 'image' || child.type === 'imageReference'
      ? escapeHtml(child.alt || 'picture')
      : inlineOf(child, definitions),
  );
  return parts.join('');
}

/** The text alone where the address is none that a reader may be sent to. */
function link(url: string, html: string): string {
  return isHarmless(url) ? `<a href="${escapeMarkup(url)}">${html}</a>` : html;
}

/** Browsers leave out control characters and take `\` for `/`, so that neither may be there at all. */
function isHarmless(url: string): boolean {
  if (!/^[^\s\p{Cc}\p{Cf}\\]{1,2000}$/u.test(url)) return false;
  if (/^(?:https?:\/\/|mailto:)/i.test(url)) return true;
  // Beside this page: without a scheme, and without another server.
  return !url.startsWith('//') && !/^[^/?#]*:/.test(url);
}

function lines(value: string): string {
  return visibleLines(value).map(escapeMarkup).join('\n');
}

function plainText(node: Nodes): string {
  if ('value' in node) return node.value;
  if ('alt' in node) return node.alt ?? '';
  return 'children' in node ? node.children.map(plainText).join('') : '';
}

function visit(node: Nodes, see: (node: Nodes) => void): void {
  see(node);
  if ('children' in node) for (const child of node.children) visit(child, see);
}
