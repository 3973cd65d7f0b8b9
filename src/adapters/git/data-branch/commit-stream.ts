import type { BranchChange } from '../../../core/publication/change.ts';

export interface StreamOptions {
  /** The commit that it stands on, or a tree that it takes over without a past; null where there is none. */
  start: string | { tree: string } | null;
  /** `Name <address>` */
  author: string;
  /** Since 1970. */
  atSeconds: number;
  /** That is set to it. */
  ref: string;
}

/**
 * The change for `git fast-import`, which reads only the trees that it touches: an index would hold all files of the branch.
 * Nor does it want the content of files that stay or move, none of which is here.
 * https://git-scm.com/docs/git-fast-import#_input_format
 */
export function commitStream(change: BranchChange, { start, author, atSeconds, ref }: StreamOptions): Buffer {
  const { message, write, move, remove } = change;
  const by = `${author} ${atSeconds} +0000`;
  const from = start === null ? [] : [typeof start === 'string' ? `from ${start}` : `M 040000 ${start.tree} ""`];
  const lines = [
    `commit ${ref}`,
    `author ${by}`,
    `committer ${by}`,
    ...data(message),
    ...from,
    // Removals come first: a file may take the place of a folder.
    ...remove.map((path) => `D ${quoted(path)}`),
    ...move.map(({ from, to }) => `R ${quoted(from)} ${quoted(to)}`),
    ...write.flatMap(({ path, content }) => [`M 100644 inline ${quoted(path)}`, ...data(content)]),
    '',
  ];
  return Buffer.concat(
    lines.flatMap((line, index) => [index === 0 ? '' : '\n', line]).map((part) => Buffer.from(part)),
  );
}

/** Its length is in bytes, so that nothing in it can be taken for a command. */
function data(content: string | Uint8Array): (string | Uint8Array)[] {
  return [`data ${Buffer.byteLength(content)}`, content];
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
