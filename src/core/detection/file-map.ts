import { type Document, isCollection, Scalar, visit } from 'yaml';
import { yamlDocument } from '../config/yaml-document.ts';
import { asMap, type RepositoryFile } from './files.ts';

const MOST_CHARACTERS = 2_000_000;
/** A compose file or a description of an API of this length was made by a program. */
const MOST_CHARACTERS_OF_YAML = 500_000;

/** In place of a value that an override of a compose file takes away: `image: !reset null`. */
export const RESET = '!reset';

/** The map that a YAML or JSON file holds; {} where it holds none. */
export function mapOf({ path, content }: RepositoryFile): Record<string, unknown> {
  const text = content.slice(0, MOST_CHARACTERS);
  try {
    if (/^\s*\{/.test(text)) return asMap(JSON.parse(text));
  } catch {}
  // Broken JSON is nearly always broken YAML, which takes long to be told.
  if (path.endsWith('.json') || text.length > MOST_CHARACTERS_OF_YAML) return {};
  try {
    return asMap(documentOf(text)?.toJS({ maxAliasCount: 100 }));
  } catch {
    // Neither JSON nor YAML, or nested deeper than a stack is: it shows nothing.
    return {};
  }
}

/** The first document of a text, with a few mistakes maybe. Throws for what takes as long as its length squared to be read. */
function documentOf(text: string): Document | null {
  const { document } = yamlDocument(text, { merge: true });
  if (document === null) return null;
  visit(document, {
    // Each would be written as the text of a key, with all the keys in it.
    Pair(_, pair) {
      if (isCollection(pair.key)) throw new Error('a key is a map or a list');
      const { tag } = (pair.value ?? {}) as { tag?: string };
      if (tag === RESET) pair.value = new Scalar(RESET);
    },
  });
  return document;
}
