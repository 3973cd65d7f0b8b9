import type { Values } from './written-spec.ts';

export interface Answer {
  status: number;
  headers: Headers;
  body: string;
}

/** What `take` names in an answer: a JSON path, `header:NAME`, `cookie:NAME`, or `match:EXPRESSION` with one group in the body. */
export function takenFrom(answer: Answer, take: Record<string, string>): Values {
  return Object.fromEntries(Object.entries(take).map(([name, where]) => [name, found(answer, where)]));
}

function found(answer: Answer, where: string): string {
  const value = look(answer, where);
  if (value !== undefined && value !== null) return String(value);
  throw new Error(`${where} is not in the answer, which begins ${JSON.stringify(answer.body.slice(0, 300))}.`);
}

function look({ headers, body }: Answer, where: string): unknown {
  if (where.startsWith('header:')) return headers.get(where.slice('header:'.length));
  if (where.startsWith('match:')) return new RegExp(where.slice('match:'.length)).exec(body)?.[1];
  if (where.startsWith('cookie:')) {
    const name = `${where.slice('cookie:'.length)}=`;
    const cookie = headers.getSetCookie().find((each) => each.startsWith(name));
    return cookie?.slice(name.length).split(';')[0];
  }
  const steps = where.replace(/^\$/, '').match(/[^.[\]]+/g) ?? [];
  return steps.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], JSON.parse(body));
}
