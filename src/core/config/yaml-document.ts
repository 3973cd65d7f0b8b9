import { Composer, type CST, type Document, Lexer, Parser, type SchemaOptions, type YAMLParseError } from 'yaml';

/** Of YAML, what is told of a file at most; past it the rest is not read. */
export const MOST_SYNTAX_MISTAKES = 20;

/** The parser's own, with the place that each stands at. */
type SyntaxMistake = Pick<YAMLParseError, 'code' | 'message' | 'pos'>;

export interface YamlDocument {
  /** The first document of the text; null where there is none, or so much is wrong that reading was given up. */
  document: Document | null;
  /** `MOST_SYNTAX_MISTAKES` at most. A second document is one. */
  mistakes: SyntaxMistake[];
}

/**
 * What a text holds as YAML 1.2. The parser alone would collect a mistake for each character and compare each key with all
 * others, and call itself for each level: of 100 KB that somebody made for it, it takes seconds, or ends the process. Throws
 * `RangeError` where values are nested very deep.
 */
export function yamlDocument(text: string, options: Pick<SchemaOptions, 'merge'> = {}): YamlDocument {
  const composer = new Composer({ schema: 'core', ...options, prettyErrors: false, uniqueKeys: false });
  const mistakes: SyntaxMistake[] = [];
  // It offers no other way to stop; where a later version calls something else, a broken file takes longer and nothing more.
  const collector = composer as unknown as { onError: (...args: unknown[]) => void; errors: SyntaxMistake[] };
  const collected = collector.onError;
  collector.onError = (...args) => {
    collected(...args);
    if (collector.errors.length >= MOST_SYNTAX_MISTAKES) throw new TooManyMistakes();
  };
  let document: Document | null = null;
  try {
    for (const each of composer.compose(boundedTokens(text), true, text.length)) {
      if (document !== null) {
        const pos: [number, number] = [each.range[0], each.range[1]];
        mistakes.push({ code: 'MULTIPLE_DOCS', message: 'The text holds more than one document', pos });
        break;
      }
      document = each as Document;
    }
  } catch (error) {
    if (!(error instanceof TooManyMistakes)) throw error;
    return { document: null, mistakes: collector.errors.slice(0, MOST_SYNTAX_MISTAKES) };
  }
  const found = document === null ? [] : [...document.errors, ...document.warnings];
  return { document, mistakes: [...found, ...mistakes].slice(0, MOST_SYNTAX_MISTAKES) };
}

class TooManyMistakes extends Error {}

/** Until so many of them have no place in YAML that what follows says nothing. */
function* boundedTokens(text: string): Generator<CST.Token> {
  let wrong = 0;
  for (const token of shallowTokens(text)) {
    yield token;
    if (token.type === 'error') wrong += 1;
    if (wrong >= MOST_SYNTAX_MISTAKES) return;
  }
}

/** Far from the end of a stack, where Node.js does not always throw: it may abort (in compiling a regular expression). */
const DEEPEST_TOKEN = 500;

function* shallowTokens(text: string): Generator<CST.Token> {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > DEEPEST_TOKEN) {
      throw new RangeError(`values are nested deeper than ${DEEPEST_TOKEN} levels`);
    }
  }
  yield* parser.end();
}
