import { type TakePlace, takePlaceOf } from '../config/take.ts';
import type { Answer } from './answer.ts';

/** What was taken from one answer; `missing` says of each that was not there why, as `$.token: nothing is there`. */
export interface TakenValues {
  values: Record<string, string>;
  missing: string[];
}

type Answered = Extract<Answer, { kind: 'answered' }>;

/** As much as browsers and servers let a cookie or a header be, and some more. */
const LONGEST_VALUE = 16 * 1024;

/** `take`: name → where its value stands, as the spec has it. The answer is a server's: whatever it holds, this throws nothing. */
export function takenValues(answer: Answered, take: Readonly<Record<string, string>>): TakenValues {
  const json = lazily(() => jsonOf(answer.body));
  const values: Record<string, string> = {};
  const missing: string[] = [];
  for (const [name, written] of Object.entries(take)) {
    const place = takePlaceOf(written);
    const found = place === null ? { why: 'this names no place in an answer' } : valueAt(place, answer, json);
    if ('value' in found) values[name] = found.value;
    else missing.push(`${written}: ${found.why}`);
  }
  return { values, missing };
}

type Found = { value: string } | { why: string };

function valueAt(place: TakePlace, { headers }: Answered, json: () => unknown): Found {
  switch (place.kind) {
    case 'header': {
      const value = Object.hasOwn(headers, place.name) ? headers[place.name]! : undefined;
      return value === undefined ? { why: 'the answer has no such header' } : usable(value.trim());
    }
    case 'cookie': {
      const value = cookieIn(headers['set-cookie'] ?? '', place.name);
      return value === null ? { why: 'the answer sets no such cookie' } : usable(value);
    }
    case 'json':
      return inJson(place.path, json());
  }
}

function inJson(path: readonly (string | number)[], json: unknown): Found {
  if (json === NOT_JSON) return { why: 'the body is not JSON' };
  const value = memberAt(json, path);
  if (typeof value === 'string') return usable(value);
  if (typeof value === 'number' || typeof value === 'boolean') return usable(String(value));
  if (value === undefined || value === null) return { why: 'nothing is there' };
  return { why: `${Array.isArray(value) ? 'a list' : 'a map'} is there, and text or a number is wanted` };
}

/** The member of a parsed JSON text at a path; undefined where there is none. */
export function memberAt(json: unknown, path: readonly (string | number)[]): unknown {
  let value = json;
  for (const step of path) {
    const isReached = typeof step === 'number' ? Array.isArray(value) : isMap(value);
    if (!isReached || !Object.hasOwn(value as object, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

function usable(value: string): Found {
  if (value === '') return { why: 'it is empty' };
  if (value.length > LONGEST_VALUE) return { why: `it is longer than ${LONGEST_VALUE} characters` };
  // In a request each of these would end a line, or the request.
  if (/[\p{Cc}\p{Cs}]/u.test(value)) return { why: 'it holds control characters' };
  return { value };
}

/**
 * The last value that is set, as a browser would keep. Several headers come joined by commas, which stand in dates as well, but there
 * with no name and `=` behind them.
 */
function cookieIn(setCookie: string, name: string): string | null {
  let value: string | null = null;
  for (const part of setCookie.split(/,(?=\s*[^\s;,=]+=)/)) {
    const pair = part.split(';', 1)[0]!.trim();
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name)
      value = pair
        .slice(at + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1');
  }
  return value;
}

const NOT_JSON = Symbol('not JSON');

/** Of a body; `NOT_JSON` where it is none. */
function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return NOT_JSON;
  }
}

function isMap(value: unknown): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function lazily<T>(of: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: of() };
    return made.value;
  };
}
