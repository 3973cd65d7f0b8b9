import type { Root, RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkGithub from 'remark-github';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

/** What GitHub makes of a text, as far as a reader could be harmed or misled by it. */
export interface Rendered {
  /** Elements within elements, without their texts: `paragraph(text strong(text))`. */
  shape: string;
  /** What a reader sees, without the zero-width spaces that stand between letters. */
  text: string;
  /** Targets of all links and pictures, those included that GitHub finds by itself. */
  targets: string[];
  /** What GitHub makes of a text once it is rendered, which no parser knows: pictures by name, formulas. */
  replaced: string[];
}

const parser = unified().use(remarkParse).use(remarkGfm);
/** Mentions, references, hashes of commits, as GitHub links them in comments. */
const linked = remarkGithub({ repository: 'acme/api', mentionStrong: false });

export function rendered(markdown: string): Rendered {
  const tree = parser.parse(markdown);
  withElements(tree);
  linked(tree, undefined as never);
  const found: Rendered = { shape: '', text: '', targets: [], replaced: [] };
  found.shape = tree.children.map((node) => shapeOf(node, found)).join(' ');
  found.text = found.text.replaceAll('\u200b', '').trim();
  return found;
}

/** `<code>` and `<span>` are elements, not texts between tags: nothing in code is linked, and a dollar in one stands alone. */
function withElements(node: Root | RootContent): void {
  if (!('children' in node)) return;
  const children = node.children as RootContent[];
  for (let index = 0; index + 2 < children.length; index += 1) {
    const [open, inner, close] = children.slice(index, index + 3) as [RootContent, RootContent, RootContent];
    if (open.type !== 'html' || inner.type !== 'text' || close.type !== 'html') continue;
    const tags = `${open.value}${close.value}`;
    if (tags === '<code></code>') children.splice(index, 3, { type: 'inlineCode', value: inner.value, data: OURS });
    if (tags === '<span></span>' && inner.value === '$') children.splice(index, 3, { ...inner, data: OURS });
  }
  for (const child of children) withElements(child);
}

/** Of an element that stands for a text. */
const OURS = {};

function shapeOf(node: RootContent, found: Rendered): string {
  switch (node.type) {
    case 'text':
      found.text += node.value;
      if (node.data !== OURS) found.replaced.push(...(node.value.match(REPLACED) ?? []));
      return 'text';
    case 'inlineCode':
      found.text += node.value;
      return node.data === OURS ? 'text' : 'code';
    case 'code':
      found.text += `${node.value}\n`;
      return `code-block:${node.lang ?? ''}`;
    case 'html':
      found.text += node.value.replaceAll(/<[^>]*>/g, '').replaceAll(/&(?:amp|lt|gt);/g, decoded);
      found.replaced.push(...(node.value.replaceAll('<span>$</span>', '\n').match(REPLACED) ?? []));
      return `html:${node.value
        .replaceAll(OWN_INLINE, '')
        .match(/<[^>]*>?/g)
        ?.join('')}`;
    case 'image':
      found.targets.push(node.url);
      return 'image';
    default: {
      if ('url' in node) found.targets.push(node.url);
      const children = 'children' in node ? (node.children as RootContent[]) : [];
      const shapes = children.map((child) => shapeOf(child, found));
      if (BLOCKS.has(node.type)) found.text += '\n';
      const merged = shapes.filter((shape, index) => shape !== 'text' || shapes[index - 1] !== 'text');
      return `${nameOf(node)}(${merged.join(' ')})`;
    }
  }
}

function nameOf(node: RootContent): string {
  if (node.type === 'heading') return `heading${node.depth}`;
  return node.type === 'listItem' && typeof node.checked === 'boolean' ? 'task' : node.type;
}

const BLOCKS = new Set(['paragraph', 'heading', 'tableCell', 'tableRow']);
const OWN_INLINE = /<span>\$<\/span>|<code>[0-9a-z-]+<\/code>/gi;

/** `:tada:`, of whose names none is a number of two digits, and `$…$`. */
const REPLACED = /:(?!\d\d?:)[\w+-]+:|\$[\s\S]*\$/g;

function decoded(entity: string): string {
  return ({ '&amp;': '&', '&lt;': '<', '&gt;': '>' } as Record<string, string>)[entity]!;
}
