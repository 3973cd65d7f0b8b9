import * as z from 'zod';
import { form } from '../values/section.ts';

/**
 * Where a value stands in an answer:
 *
 *     $.data.users[0].id     in its JSON body: names behind a dot or in quotes (`$['a b']`), numbers of elements in brackets
 *     header:x-csrf-token    a header, by its name in any case
 *     cookie:sid             the value that a Set-Cookie header gives a cookie
 */
export type TakePlace =
  | { kind: 'json'; path: readonly (string | number)[] }
  | { kind: 'header'; name: string }
  | { kind: 'cookie'; name: string };

const TAKE_PHRASE = 'where it stands in the answer, such as $.access_token, header:x-csrf-token or cookie:sid';

/** Names that a spec gives to what it takes. */
export const TAKEN_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;

const LONGEST = 256;
const HEADER = /^header:([A-Za-z0-9!#$%&'*+.^_`|~-]{1,128})$/;
const COOKIE = /^cookie:([A-Za-z0-9!#$%&'*+.^_`|~-]{1,128})$/;
const JSON_STEP = /\.([A-Za-z_][\w-]*)|\[(\d{1,6})\]|\['([^'\]]+)'\]|\["([^"\]]+)"\]/y;

/** All of them, for a schema. */
const TAKE_TEXT =
  /^(?:\$(?:\.[A-Za-z_][\w-]*|\[\d{1,6}\]|\['[^'\]]+'\]|\["[^"\]]+"\])*|(?:header|cookie):[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128})$/;

const NAME_PHRASE = 'a name of letters, digits, _ and -, beginning with a letter (32 at most)';

/** Name → where its value stands in the answer: see `TakePlace`. */
export const take = form(
  z.record(
    z.string(NAME_PHRASE).regex(TAKEN_NAME, NAME_PHRASE),
    z.string(TAKE_PHRASE).max(256, TAKE_PHRASE).regex(TAKE_TEXT, TAKE_PHRASE),
    'a map such as {token: $.access_token}',
  ),
  (places): Record<string, string> => places,
  z.record(z.string(), z.string()),
);

/** Null where the text names no place. */
export function takePlaceOf(text: string): TakePlace | null {
  if (text.length > LONGEST) return null;
  const header = HEADER.exec(text)?.[1];
  if (header !== undefined) return { kind: 'header', name: header.toLowerCase() };
  const cookie = COOKIE.exec(text)?.[1];
  if (cookie !== undefined) return { kind: 'cookie', name: cookie };
  const path = jsonPathOf(text);
  return path === null ? null : { kind: 'json', path };
}

function jsonPathOf(text: string): (string | number)[] | null {
  if (!text.startsWith('$')) return null;
  const path: (string | number)[] = [];
  let at = 1;
  while (at < text.length) {
    JSON_STEP.lastIndex = at;
    const [whole, name, index, single, double] = JSON_STEP.exec(text) ?? [];
    if (whole === undefined) return null;
    path.push(index === undefined ? (name ?? single ?? double)! : Number(index));
    at += whole.length;
  }
  return path;
}
