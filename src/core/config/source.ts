import type { Diagnostic, DiagnosticCode } from './diagnostics.ts';

/** One value of the file with the place that it stands at; maps and lists hold further ones. */
export type Node = Place &
  (
    | {
        kind: 'map';
        entries: Map<string, { key: Place; node: Node }>;
        /** Keys whose values are unusable; that has been told. */
        broken: Set<string>;
      }
    | { kind: 'list'; items: Node[] }
    | { kind: 'scalar'; value: string | number | boolean | null }
  );

export type Path = readonly (string | number)[];

/** What is said of a mistake, besides where it is. */
export interface Complaint {
  code: DiagnosticCode;
  message: string;
  found?: string | null;
  expected?: string | null;
  nearest?: string | null;
  /** Keys that are missed, each of which, written right, would do. */
  lacks?: readonly Path[];
}

export interface Place {
  start: number;
  end: number;
}

/** The characters of a spec file, and the way from an offset to a line and a column. */
export class SourceText {
  readonly fileName: string;
  readonly text: string;
  readonly #lineStarts: number[];

  constructor(fileName: string, text: string) {
    this.fileName = fileName;
    this.text = text;
    this.#lineStarts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map((end) => end.index + end[0].length)];
  }

  /** From 1. */
  lineOf(offset: number): number {
    let low = 0;
    let high = this.#lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#lineStarts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** A mistake at a place; what lies beyond its first line is not underlined. */
  diagnostic(place: Place, path: Path, complaint: Complaint): Diagnostic {
    const start = Math.max(0, Math.min(place.start, this.text.length));
    const line = this.lineOf(start);
    const lineStart = this.#lineStarts[line - 1]!;
    const lineEnd = (this.#lineStarts[line] ?? this.text.length + 1) - 1;
    return {
      code: complaint.code,
      file: this.fileName,
      line,
      column: start - lineStart + 1,
      length: Math.max(1, Math.min(place.end, lineEnd) - start),
      path: path.join('.'),
      message: complaint.message,
      found: complaint.found ?? null,
      expected: complaint.expected ?? null,
      nearest: complaint.nearest ?? null,
      ...(complaint.lacks === undefined ? {} : { lacks: complaint.lacks.map((missed) => missed.join('.')) }),
    };
  }
}

/** A spec file that could be read as YAML: its values, and the way from a value back to its line and column. */
export class Source {
  readonly text: SourceText;
  readonly root: Node;
  /** The same as plain values; what stood behind an alias is shared. */
  readonly value: unknown;

  constructor(text: SourceText, root: Node) {
    this.text = text;
    this.root = root;
    this.value = plainValueOf(root, new Map());
  }

  /** The value at a path; undefined where there is none. */
  at(path: Path): unknown {
    let value = this.value;
    for (const part of path) {
      if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined;
      value = (value as Record<string | number, unknown>)[part];
    }
    return value;
  }

  /** A value that is no map and no list, as the file spells it, at its anchor where it stands behind an alias; null where there is none. */
  writtenAt(path: Path): string | null {
    const { node } = this.#nearest(path);
    return this.at(path) === undefined || node.kind !== 'scalar' ? null : this.text.text.slice(node.start, node.end);
  }

  /** Entries of the map at a path; none where there is no map. */
  entriesAt(path: Path): [string, unknown][] {
    const value = this.at(path);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
  }

  /** Whether something unusable stands at a path. */
  isBroken(path: Path): boolean {
    const { node } = this.#nearest(path.slice(0, -1));
    return node.kind === 'map' && node.broken.has(String(path.at(-1)));
  }

  /** A mistake about the value at a path, or about the nearest of its parents that is there. */
  aboutValue(path: Path, complaint: Complaint): Diagnostic {
    const { node, key } = this.#nearest(path);
    // A map or a list is best known by its key.
    return this.text.diagnostic(key !== null && node.kind !== 'scalar' ? key : node, path, complaint);
  }

  /** A mistake about the key at the end of a path. */
  aboutKey(path: Path, complaint: Complaint): Diagnostic {
    const { node, key } = this.#nearest(path);
    return this.text.diagnostic(key ?? node, path, complaint);
  }

  /** A mistake about a part of the text at a path; about the whole of it where the file spells the part differently. */
  aboutPart(path: Path, part: string, complaint: Complaint): Diagnostic {
    const { node } = this.#nearest(path);
    const offset = this.text.text.slice(node.start, node.end).indexOf(part);
    if (offset < 0) return this.aboutValue(path, complaint);
    const start = node.start + offset;
    return this.text.diagnostic({ start, end: start + part.length }, path, complaint);
  }

  #nearest(path: Path): { node: Node; key: Place | null } {
    let node: Node = this.root;
    let key: Place | null = null;
    for (const part of path) {
      if (node.kind === 'map') {
        const entry = node.entries.get(String(part));
        if (entry === undefined) break;
        key = entry.key;
        node = entry.node;
      } else if (node.kind === 'list') {
        const item = node.items[Number(part)];
        if (item === undefined) break;
        key = null;
        node = item;
      } else break;
    }
    return { node, key };
  }
}

function plainValueOf(node: Node, done: Map<Node, unknown>): unknown {
  if (node.kind === 'scalar') return node.value;
  const known = done.get(node);
  if (known !== undefined) return known;
  const value =
    node.kind === 'list'
      ? node.items.map((item) => plainValueOf(item, done))
      : Object.fromEntries([...node.entries].map(([key, entry]) => [key, plainValueOf(entry.node, done)]));
  done.set(node, value);
  return value;
}
