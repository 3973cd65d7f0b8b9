import { isUnread } from '../config/asked-endpoint.ts';
import type { Endpoint, Expectation } from '../config/resolved.ts';
import type { Answer } from './answer.ts';

/** One way in which an answer is not what the spec expects: `status: expected 200, got 503`. */
export type Difference = string;

const SHOWN_CHARACTERS = 120;

/** No answer, or one with a status that every generator counts as an error (wrk: above 399). */
export function isFailure(answer: Answer, expect: Expectation): boolean {
  return answer.kind === 'failed' || (answer.status >= 400 && answer.status !== expect.status);
}

/**
 * Whether a service still does what the endpoint needs, by an answer to it as it is written. One that it refuses, for want of a login, it
 * has answered by itself. What it does not find may have been lost with the data, unless the request has a value still to be filled in.
 */
export function isServed(answer: Answer, endpoint: Endpoint): boolean {
  if (answer.kind === 'failed') return false;
  const { status } = answer;
  if (status === endpoint.expect.status) return true;
  return status === 404 ? isUnread(endpoint) || endpoint.path.includes('${') : status < 500;
}

/** What came of looking for a regular expression in a body. */
export type SearchResult =
  | { kind: 'found' | 'absent' }
  /** It was not done after so long, and given up. */
  | { kind: 'stopped'; seconds: number }
  /** It cannot be used on this body. */
  | { kind: 'failed'; message: string };

export type Search = (expression: string, body: string) => Promise<SearchResult>;

/**
 * All the ways in which `answer` differs from `expect`; empty where it is as expected. `search` is given, since an expression
 * can take longer than anybody waits.
 */
export async function differencesOf(answer: Answer, expect: Expectation, search: Search): Promise<Difference[]> {
  if (answer.kind === 'failed') return [`no answer: ${answer.message}`];
  const text = new TextDecoder().decode(answer.body);
  const differences: Difference[] = [];

  if (answer.status !== expect.status) {
    differences.push(`status: expected ${expect.status}, got ${answer.status} (body: ${excerpt(text)})`);
  }
  if (expect.contentType !== null && !contentTypeFits(answer.headers['content-type'], expect.contentType)) {
    differences.push(`content-type: expected ${expect.contentType}, got ${answer.headers['content-type'] ?? 'none'}`);
  }
  if (expect.body !== null && text !== expect.body) {
    differences.push(`body: expected ${excerpt(expect.body)}, got ${excerpt(text)}`);
  }
  if (expect.sizeBytes !== null && !within(answer.body.byteLength, expect.sizeBytes)) {
    differences.push(`size: expected ${sizeText(expect.sizeBytes)}, got ${answer.body.byteLength} bytes`);
  }
  if (expect.matches !== null) {
    const result = await search(expect.matches, text);
    const difference = matchDifference(result, expect.matches, text, answer.body.byteLength);
    if (difference !== null) differences.push(difference);
  }
  if (expect.json !== undefined) differences.push(...jsonDifferences(text, expect.json));
  return differences;
}

function matchDifference(result: SearchResult, expression: string, text: string, bytes: number): Difference | null {
  switch (result.kind) {
    case 'found':
      return null;
    case 'absent':
      return `body: expected a match of /${expression}/, got ${excerpt(text)}`;
    case 'stopped':
      return `body: expected a match of /${expression}/, which took longer than ${result.seconds} s on ${bytes} bytes: simplify the expression`;
    case 'failed':
      return `body: expected a match of /${expression}/, which cannot be used on ${bytes} bytes (${result.message}): simplify the expression`;
  }
}

function jsonDifferences(text: string, expected: unknown): Difference[] {
  let got: unknown;
  try {
    got = JSON.parse(text);
  } catch {
    return [`json: expected ${cut(JSON.stringify(expected))}, got something that is not JSON: ${excerpt(text)}`];
  }
  const difference = jsonDifference(got, expected);
  return difference === null ? [] : [`json: ${difference}`];
}

/**
 * Media types compare without case; parameters count only where the spec names some, since `; charset=utf-8` is an
 * accident of a framework and not what a benchmark means to pin.
 */
function contentTypeFits(got: string | undefined, expected: string): boolean {
  if (got === undefined) return false;
  const normal = (value: string) =>
    value
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
      .join(';');
  return expected.includes(';') ? normal(got) === normal(expected) : normal(got).split(';')[0] === normal(expected);
}

function within(bytes: number, size: { min: number; max: number }): boolean {
  return bytes >= size.min && bytes <= size.max;
}

function sizeText(size: { min: number; max: number }): string {
  return size.min === size.max ? `${size.min} bytes` : `${size.min} to ${size.max} bytes`;
}

function cut(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** As JSON, so that line ends and control characters of a server show as what they are. */
function excerpt(text: string): string {
  const quoted = JSON.stringify(cut(text));
  return text.length > SHOWN_CHARACTERS ? `${quoted} (${text.length} characters)` : quoted;
}

/**
 * Where `got` lacks something of `expected`, as a sentence with its path (`$.users[0].id: expected 1, got 2`);
 * null where all that `expected` names is there. Objects may hold more keys than expected, arrays more elements.
 */
export function jsonDifference(got: unknown, expected: unknown, path = '$'): string | null {
  if (Array.isArray(expected)) {
    if (!Array.isArray(got)) return `${path}: expected an array, got ${shown(got)}`;
    if (got.length < expected.length) {
      return `${path}: expected at least ${expected.length} elements, got ${got.length}`;
    }
    return firstDifference(expected.keys(), (index) =>
      jsonDifference(got[index], expected[index], `${path}[${index}]`),
    );
  }
  if (isObject(expected)) {
    if (!isObject(got)) return `${path}: expected an object, got ${shown(got)}`;
    return firstDifference(Object.keys(expected), (key) => {
      const place = /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
      if (!Object.hasOwn(got, key)) return `${place}: expected ${shown(expected[key])}, got nothing`;
      return jsonDifference(got[key], expected[key], place);
    });
  }
  return Object.is(got, expected) || got === expected
    ? null
    : `${path}: expected ${shown(expected)}, got ${shown(got)}`;
}

function firstDifference<K>(keys: Iterable<K>, difference: (key: K) => string | null): string | null {
  for (const key of keys) {
    const found = difference(key);
    if (found !== null) return found;
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
