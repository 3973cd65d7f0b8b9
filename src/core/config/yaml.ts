import { isAlias, isMap, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import { quoted } from '../format/quoted.ts';
import type { Diagnostic } from './diagnostics.ts';
import { type Complaint, type Node, type Place, Source, SourceText } from './source.ts';
import { yamlDocument } from './yaml-document.ts';

/** A spec of this many characters has been made to harm, not to be read. */
const LONGEST_TEXT = 128 * 1024;
const DEEPEST = 48;
/** Values, those behind aliases counted as often as they are named. */
const MOST_VALUES = 20_000;

export interface ReadYaml {
  /** Null where the mistakes leave nothing to look at. */
  source: Source | null;
  diagnostics: Diagnostic[];
}

/** What the text holds as YAML 1.2, and what is wrong with it as YAML; every mistake at once, and nothing is thrown. */
export function readYaml(text: string, fileName: string): ReadYaml {
  const sourceText = new SourceText(fileName, text);
  const unreadable = (message: string, start = 0): ReadYaml => ({
    source: null,
    diagnostics: [sourceText.diagnostic({ start, end: start + 1 }, [], { code: 'unreadable', message })],
  });
  if (text.length > LONGEST_TEXT) {
    return unreadable(`the file is longer than ${LONGEST_TEXT / 1024} KiB: a spec is a page or two`);
  }
  const notText = text.search(NOT_TEXT);
  if (notText >= 0) return unreadable('not valid UTF-8: save the file as UTF-8', notText);
  const parsed = parsedDocument(text);
  if (typeof parsed === 'string') return unreadable(parsed);
  const broken = parsed.mistakes.map(({ code, message, pos }) =>
    sourceText.diagnostic({ start: pos[0], end: pos[1] }, [], {
      code: 'syntax',
      message: syntaxMessage(code, message),
    }),
  );
  if (broken.length > 0) return { source: null, diagnostics: broken };
  const contents = parsed.document?.contents ?? null;
  if (contents === null || (isScalar(contents) && contents.value === null)) {
    return unreadable('the file is empty: write name, services and endpoints, or let `wrkbench init` do it');
  }
  const builder = new Builder(sourceText);
  const root = builder.built(contents, 1, { start: 0, end: text.length });
  const { diagnostics } = builder;
  const usable = root !== null && !diagnostics.some(({ code }) => code === 'unreadable');
  return { source: usable ? new Source(sourceText, root.node) : null, diagnostics };
}

/** NUL, what a decoder puts for bytes that are no UTF-8, and halves of surrogate pairs. */
const NOT_TEXT = /\0|\ufffd|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

function parsedDocument(text: string) {
  try {
    return yamlDocument(text);
  } catch (error) {
    if (error instanceof RangeError) return `values are nested deeper than ${DEEPEST} levels`;
    return `the file cannot be read as YAML: ${quoted(error instanceof Error ? error.message : String(error))}`;
  }
}

function syntaxMessage(code: string, message: string): string {
  if (code === 'TAB_AS_INDENT') return 'a tab cannot indent YAML: use spaces';
  if (code === 'MULTIPLE_DOCS') return 'a spec is one YAML document: remove this `---` and what follows';
  if (code === 'TAG_RESOLVE_FAILED') return 'this YAML tag has no meaning here: remove it';
  const plain = message.replaceAll(/\s+/g, ' ').trim();
  return `not valid YAML: ${plain.charAt(0).toLowerCase()}${plain.slice(1)}`;
}

/** A node with what it amounts to when its aliases are followed. */
interface Measured {
  node: Node;
  values: number;
  levels: number;
}

/** From the parser's nodes to ours. An alias gives the very node that it names, so nothing is copied. */
class Builder {
  readonly diagnostics: Diagnostic[] = [];
  readonly #text: SourceText;
  /** What an alias stands for at this point of the file. */
  readonly #anchors = new Map<string, Measured | 'unfinished' | 'broken'>();
  #mergedEntries = 0;

  constructor(text: SourceText) {
    this.#text = text;
  }

  /** Null where nothing usable stands there; the mistake has then been noted. */
  built(from: unknown, depth: number, place: Place): Measured | null {
    const here = placeOf(from) ?? place;
    if (depth > DEEPEST) return this.#tooDeep(here);
    if (isAlias(from)) return this.#aliased(from.source, depth, here);
    const anchor = (from as { anchor?: string } | null)?.anchor;
    if (anchor !== undefined) this.#anchors.set(anchor, 'unfinished');
    const result = isMap(from)
      ? this.#map(from, depth, here)
      : isSeq(from)
        ? this.#list(from, depth, here)
        : this.#scalar(isScalar(from) ? from.value : null, here);
    if (anchor !== undefined) this.#anchors.set(anchor, result ?? 'broken');
    if (result !== null && result.values > MOST_VALUES) {
      if (anchor !== undefined) this.#anchors.set(anchor, 'broken');
      return this.#tooMany(here);
    }
    return result;
  }

  #scalar(value: unknown, here: Place): Measured | null {
    const plain = value === null || typeof value === 'string' || typeof value === 'boolean';
    if (plain || (typeof value === 'number' && Number.isFinite(value))) {
      return {
        node: { ...here, kind: 'scalar', value: value as string | number | boolean | null },
        values: 1,
        levels: 1,
      };
    }
    const written = quoted(this.#text.text.slice(here.start, here.end));
    return this.#wrong(here, 'wrong-value', `${written} is neither text, nor a finite number, nor true or false`);
  }

  #aliased(name: string, depth: number, here: Place): Measured | null {
    const target = this.#anchors.get(name);
    if (target === undefined)
      return this.#wrong(here, 'unknown-name', `\`*${name}\` stands for nothing: no \`&${name}\` before it`);
    if (target === 'broken') return null;
    if (target === 'unfinished')
      return this.#wrong(here, 'wrong-value', `the alias \`*${name}\` stands inside what it names`);
    return depth + target.levels - 1 > DEEPEST ? this.#tooDeep(here) : target;
  }

  #list(from: YAMLSeq, depth: number, here: Place): Measured {
    const items: Node[] = [];
    const total = { values: 1, levels: 1 };
    for (const item of from.items) {
      const result = this.built(item, depth + 1, here);
      if (result === null) continue;
      items.push(result.node);
      add(total, result);
    }
    return { node: { ...here, kind: 'list', items }, ...total };
  }

  #map(from: YAMLMap, depth: number, here: Place): Measured {
    const map: Node & { kind: 'map' } = { ...here, kind: 'map', entries: new Map(), broken: new Set() };
    const total = { values: 1, levels: 1 };
    const merged: Node[] = [];
    for (const pair of from.items) {
      const keyPlace = placeOf(pair.key) ?? here;
      const key = keyOf(pair.key);
      const value = this.built(pair.value, depth + 1, keyPlace);
      if (value !== null) add(total, value);
      if (key === null) {
        this.#wrong(keyPlace, 'wrong-name', 'a key must be a plain word');
      } else if (key === '__proto__') {
        this.#wrong(keyPlace, 'wrong-name', '`__proto__` cannot be a key');
      } else if (key === '<<') {
        if (value !== null) merged.push(...(value.node.kind === 'list' ? value.node.items : [value.node]));
      } else if (map.entries.has(key)) {
        const first = this.#text.lineOf(map.entries.get(key)!.key.start);
        this.#wrong(keyPlace, 'duplicate-key', `${quoted(key)} appears twice, first in line ${first}: remove one`);
      } else if (value === null) {
        map.broken.add(key);
      } else {
        map.entries.set(key, { key: keyPlace, node: value.node });
      }
    }
    // The map's own keys win over merged ones, and an earlier merged map over a later one.
    for (const other of merged) this.#merge(map, other);
    return { node: map, ...total };
  }

  #merge(map: Node & { kind: 'map' }, other: Node): void {
    if (other.kind !== 'map') {
      this.#wrong(other, 'wrong-value', '`<<` takes an alias of a map, or a list of such aliases');
      return;
    }
    this.#mergedEntries += other.entries.size;
    if (this.#mergedEntries > MOST_VALUES) {
      this.#tooMany(map);
      return;
    }
    for (const [key, entry] of other.entries) if (!map.entries.has(key)) map.entries.set(key, entry);
  }

  /** Reported once: what holds such a value is too much, too. */
  #tooMany(place: Place): null {
    const message = `the file expands to more than ${MOST_VALUES} values, counting those behind aliases each time`;
    return this.diagnostics.some((earlier) => earlier.message === message)
      ? null
      : this.#wrong(place, 'unreadable', message);
  }

  #tooDeep(place: Place): null {
    return this.#wrong(place, 'unreadable', `values are nested deeper than ${DEEPEST} levels`);
  }

  #wrong(place: Place, code: Complaint['code'], message: string): null {
    this.diagnostics.push(this.#text.diagnostic(place, [], { code, message }));
    return null;
  }
}

function add(total: { values: number; levels: number }, part: Measured): void {
  total.values += part.values;
  total.levels = Math.max(total.levels, part.levels + 1);
}

/** As it is written: `1.10` is not 1.1, and `TRUE` not true. Null where it is no plain word. */
function keyOf(node: unknown): string | null {
  if (!isScalar(node)) return null;
  const { value, source } = node;
  if (typeof value === 'number' || typeof value === 'boolean') return source ?? String(value);
  return typeof value === 'string' ? value : null;
}

function placeOf(node: unknown): Place | null {
  const range = (node as { range?: readonly number[] | null } | null)?.range;
  return range == null ? null : { start: range[0]!, end: range[1]! };
}
