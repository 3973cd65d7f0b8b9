import { createHash } from 'node:crypto';
import type { BranchText, DataBranch, MakeChange } from '../../src/app/ports/data-branch.ts';
import { assertOwn, type BranchChange, type BranchEntry } from '../../src/core/publication/change.ts';

export interface MemoryBranch {
  /** Path → content. */
  files: Map<string, string>;
  /** Messages. */
  commits: string[];
  /** Paths that were asked for, in calls. */
  reads: string[][];
  /** What the last commit wrote. */
  written: string[];
  /** A publisher of its own. `others` is called between each reading and its push, and says whether it was first. */
  publisher(others?: () => Promise<boolean>): DataBranch;
}

/** A data branch that is a map. Its writers lose races as those of git do. */
export function memoryBranch(files: Readonly<Record<string, string>> = {}): MemoryBranch {
  const branch: Omit<MemoryBranch, 'publisher'> = {
    files: new Map(Object.entries(files)),
    commits: [],
    reads: [],
    written: [],
  };
  const entries = (): BranchEntry[] =>
    [...branch.files]
      .filter(([path]) => path.startsWith('wrkbench/'))
      .map(([path, content]) => ({ path, blob: blobOf(content) }))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  return {
    ...branch,
    publisher: (others = async () => false) => {
      let known = new Map(branch.files);
      async function* texts(paths: readonly string[], mostBytes: number): AsyncIterable<BranchText> {
        branch.reads.push([...paths]);
        for (const path of paths) {
          const text = known.get(path);
          if (text !== undefined) yield { path, text: Buffer.byteLength(text) > mostBytes ? null : text.trim() };
        }
      }
      return {
        place: 'gh-pages of a map',
        async entries() {
          known = new Map(branch.files);
          return entries();
        },
        texts,
        async commit(change: MakeChange) {
          for (let retries = 0; ; retries += 1) {
            known = new Map(branch.files);
            const wanted = await change(entries(), texts);
            if (wanted === null) return { sha: null, retries };
            assertOwn(wanted);
            const isFirst = !(await others()) && same(known, branch.files);
            if (!isFirst) continue;
            apply(branch, wanted);
            return { sha: String(branch.commits.length).padStart(40, '0'), retries };
          }
        },
        async close() {},
      };
    },
  };
}

function apply({ files, commits, written }: Omit<MemoryBranch, 'publisher'>, change: BranchChange): void {
  for (const path of change.remove) files.delete(path);
  for (const { from, to } of change.move) {
    files.set(to, files.get(from)!);
    files.delete(from);
  }
  for (const { path, content } of change.write) files.set(path, Buffer.from(content).toString());
  written.splice(0, written.length, ...change.write.map(({ path }) => path));
  if (change.squash) commits.splice(0);
  commits.push(change.message);
}

function same(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([path, content]) => other.get(path) === content);
}

function blobOf(content: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest('hex');
}
