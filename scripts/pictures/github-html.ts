import type { PhrasingContent, Root, RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

/** Markdown as GitHub would show it: the nodes that our own texts are made of, and no others. */
export function githubHtml(markdown: string): string {
  return blocks(unified().use(remarkParse).use(remarkGfm).parse(markdown).children);
}

type Node = Root | RootContent;

function blocks(nodes: readonly Node[]): string {
  return nodes.map(html).join('');
}

function html(node: Node): string {
  switch (node.type) {
    case 'text':
      return escaped(node.value);
    case 'html':
      return node.value;
    case 'inlineCode':
      return `<code>${escaped(node.value)}</code>`;
    case 'code':
      return `<pre><code>${escaped(node.value)}</code></pre>`;
    case 'heading':
      return `<h${node.depth}>${blocks(node.children)}</h${node.depth}>`;
    case 'paragraph':
      return `<p>${blocks(node.children)}</p>`;
    case 'strong':
      return `<strong>${blocks(node.children)}</strong>`;
    case 'link':
      return `<a href="${escaped(node.url)}">${blocks(node.children)}</a>`;
    case 'list':
      return `<ul>${blocks(node.children)}</ul>`;
    case 'listItem':
      return `<li>${node.children.map((child) => (child.type === 'paragraph' ? blocks(child.children) : html(child))).join('')}</li>`;
    case 'blockquote':
      return `<blockquote>${blocks(node.children)}</blockquote>`;
    case 'table': {
      const row = (cells: readonly { children: PhrasingContent[] }[], tag: string) =>
        `<tr>${cells.map(({ children }, index) => `<${tag} align="${node.align?.[index] ?? 'left'}">${blocks(children)}</${tag}>`).join('')}</tr>`;
      const [head, ...body] = node.children;
      return `<table><thead>${row(head!.children, 'th')}</thead><tbody>${body.map(({ children }) => row(children, 'td')).join('')}</tbody></table>`;
    }
    default:
      throw new Error(`A picture has no ${node.type}.`);
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
