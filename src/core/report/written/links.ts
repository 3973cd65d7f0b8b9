import type { Block, Inline } from '../document.ts';

/** The same blocks with links to files of the run's folder, as seen from the report's. Null: the names stay, and lead nowhere. */
export function linkedFrom(folder: string | null, blocks: readonly Block[]): Block[] {
  return blocks.map((block) => linkedBlock(folder, block));
}

function linkedBlock(folder: string | null, block: Block): Block {
  const linked = (content: Inline) => linkedInline(folder, content);
  switch (block.kind) {
    case 'list':
      return { ...block, items: block.items.map(linked) };
    case 'table': {
      const rows = block.table.rows.map((row) => ({ ...row, cells: row.cells.map(linked) }));
      return { ...block, table: { ...block.table, rows } };
    }
    case 'details':
      return { ...block, blocks: linkedFrom(folder, block.blocks) };
    case 'code':
      return block;
    default:
      return 'text' in block ? { ...block, text: linked(block.text) } : block;
  }
}

function linkedInline(folder: string | null, content: Inline): Inline {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map((each) => linkedInline(folder, each));
  if ('strong' in content) return { strong: linkedInline(folder, content.strong) };
  if (!('file' in content)) return content;
  if (folder === null) return content.text;
  return { ...content, file: folder === '' ? content.file : `${folder}/${content.file}` };
}
