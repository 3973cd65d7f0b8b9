import type { BranchChange, BranchEntry } from '../core/publication/change.ts';
import type { DataBranch } from './ports/data-branch.ts';
import type { PageFiles } from './ports/page-files.ts';

/** A data branch that lies nowhere, for pages that are to be looked at and not to be kept. */
export function memoryBranch(place: string): DataBranch & PageFiles {
  const files = new Map<string, string | Uint8Array>();
  const entries = (): BranchEntry[] => [...files.keys()].map((path) => ({ path, blob: '' }));
  async function* texts(paths: readonly string[], mostBytes: number) {
    for (const path of paths) {
      const content = files.get(path);
      if (content === undefined) continue;
      const bytes = Buffer.from(content);
      yield { path, text: bytes.byteLength > mostBytes ? null : bytes.toString('utf8') };
    }
  }
  return {
    place,
    entries: async () => entries(),
    texts,
    async commit(change) {
      const wanted = await change(entries(), texts);
      if (wanted === null) return { sha: null, retries: 0 };
      apply(wanted, files);
      return { sha: '0'.repeat(40), retries: 0 };
    },
    close: async () => undefined,
    async read(path) {
      const content = files.get(path);
      return content === undefined ? null : Buffer.from(content);
    },
  };
}

function apply({ write, move, remove }: BranchChange, files: Map<string, string | Uint8Array>): void {
  for (const path of remove) files.delete(path);
  for (const { from, to } of move) {
    const content = files.get(from);
    files.delete(from);
    if (content !== undefined) files.set(to, content);
  }
  for (const { path, content } of write) files.set(path, content);
}
