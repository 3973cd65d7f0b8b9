import { quoted } from '../format/quoted.ts';
import { bytesOf, SIZE } from '../values/units.ts';
import type { Diagnostic } from './diagnostics.ts';
import { isMap } from './service-checks.ts';
import type { Path, Source } from './source.ts';

/** Headers that the generators write themselves. */
const OWN_HEADERS: Record<string, string> = {
  connection: 'keep-alive is set in load',
  'content-length': 'it follows from body',
  'transfer-encoding': 'it follows from body',
  'keep-alive': 'keep-alive is set in load',
};

export function isOwnHeader(name: string): boolean {
  return Object.hasOwn(OWN_HEADERS, name.toLowerCase());
}

/** What is wrong between the parts of an endpoint. */
export function endpointDiagnostics(source: Source): Diagnostic[] {
  const endpoints = source.at(['endpoints']);
  if (isMap(endpoints) && Object.keys(endpoints).length === 0) {
    const message = 'endpoints is empty: expected at least one endpoint';
    return [source.aboutKey(['endpoints'], { code: 'missing-key', message })];
  }
  return source.entriesAt(['endpoints']).flatMap(([name]) => {
    const path = ['endpoints', name];
    return [
      ...headerDiagnostics(path, source),
      ...bodyDiagnostics(path, source),
      ...expectationDiagnostics(path, source),
    ];
  });
}

function headerDiagnostics(path: Path, source: Source): Diagnostic[] {
  const seen = new Map<string, string>();
  return source.entriesAt([...path, 'headers']).flatMap(([header]) => {
    const lower = header.toLowerCase();
    const first = seen.get(lower);
    seen.set(lower, header);
    const own = isOwnHeader(header) ? OWN_HEADERS[lower] : undefined;
    if (own === undefined && first === undefined) return [];
    const reason = own === undefined ? `it is already here as ${quoted(first)}` : own;
    return [
      source.aboutKey([...path, 'headers', header], {
        code: 'contradiction',
        message: `${path.join('.')}.headers cannot hold ${quoted(header)}: ${reason}`,
        found: header,
      }),
    ];
  });
}

/** An answer that has no body cannot be held against one. */
function bodyDiagnostics(path: Path, source: Source): Diagnostic[] {
  const expect = source.at([...path, 'expect']);
  const status = isMap(expect) ? expect.status : expect;
  const method = source.at([...path, 'method']);
  const reason =
    method === 'HEAD'
      ? 'an answer to HEAD'
      : status === 204 || status === 304
        ? `an answer with status ${status}`
        : null;
  if (reason === null || !isMap(expect)) return [];
  return ['body', 'json', 'size', 'matches']
    .filter((key) => Object.hasOwn(expect, key) && expect[key] !== '' && expect[key] !== 0)
    .map((key) =>
      source.aboutKey([...path, 'expect', key], {
        code: 'contradiction',
        message: `${path.join('.')}.expect.${key} can never be met: ${reason} has no body`,
        found: key,
      }),
    );
}

function expectationDiagnostics(path: Path, source: Source): Diagnostic[] {
  const place = [...path, 'expect'];
  const name = place.join('.');
  const { json, matches, size } = Object.fromEntries(source.entriesAt(place));
  const diagnostics: Diagnostic[] = [];
  if (typeof json === 'string' && isJsonText(json)) {
    diagnostics.push(
      source.aboutValue([...place, 'json'], {
        code: 'wrong-value',
        message: `${name}.json is text that holds JSON: expected the value itself, so remove the quotes around it`,
        found: json.slice(0, 60),
        expected: 'the value itself',
      }),
    );
  }
  const reason = typeof matches === 'string' ? whyNoExpression(matches) : null;
  if (reason !== null) {
    diagnostics.push(
      source.aboutValue([...place, 'matches'], {
        code: 'wrong-value',
        message: `${name}.matches is not a regular expression: ${reason}`,
        found: String(matches).slice(0, 60),
        expected: 'an ECMAScript regular expression',
      }),
    );
  }
  if (isMap(size) && isSize(size.min) && isSize(size.max) && bytesOf(size.min) > bytesOf(size.max)) {
    diagnostics.push(
      source.aboutValue([...place, 'size', 'min'], {
        code: 'contradiction',
        message: `${name}.size: min ${quoted(size.min)} is more than max ${quoted(size.max)}`,
        found: String(size.min),
      }),
    );
  }
  return diagnostics;
}

function isSize(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && SIZE.test(value));
}

/** Whether a text is the JSON of a map or a list. */
function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function whyNoExpression(pattern: string): string | null {
  try {
    new RegExp(pattern);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return (message.split(': ').at(-1) ?? message).toLowerCase();
  }
}
