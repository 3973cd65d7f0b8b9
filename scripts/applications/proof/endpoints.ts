import { send } from './requests.ts';
import { takenFrom } from './taken-values.ts';
import type { ProofTestbed } from './testbed.ts';
import type { Values, WrittenEndpoint, WrittenLogin, WrittenSpec, WrittenValues } from './written-spec.ts';

/** How many different values are asked for of each endpoint. */
const TIMES = 5;

/** Logs in as the spec says, and resolves to what was taken. */
export async function logIn(origin: string, login: WrittenSpec['login'], values: Values): Promise<Values> {
  const all = { ...values };
  for (const { request, take, expect } of stepsOf(login)) {
    const answer = await send(origin, { ...request, ...(expect === undefined ? {} : { expect }) }, all);
    for (const [name, value] of Object.entries(takenFrom(answer, take ?? {}))) all[`login.${name}`] = value;
  }
  return all;
}

function stepsOf(login: WrittenSpec['login']): WrittenLogin[] {
  if (login === undefined) return [];
  return 'steps' in login ? login.steps : [login];
}

/** Asks each endpoint a few times, with other values where it has some. Rejects at the first answer that is not the expected one. */
export async function askEndpoints(
  origin: string,
  endpoints: WrittenSpec['endpoints'],
  values: Values,
  { select }: ProofTestbed,
  report: (line: string) => void,
): Promise<void> {
  for (const [name, written] of Object.entries(endpoints)) {
    const endpoint: WrittenEndpoint = typeof written === 'string' ? { path: written } : written;
    const rows = await rowsOf(endpoint.values ?? {}, select);
    const startedMs = performance.now();
    const lengths = [];
    for (let i = 0; i < TIMES; i += 1) {
      const { body, status } = await send(origin, { expect: 200, ...endpoint }, values, rows[i % rows.length]);
      lengths.push(`${status}/${body.length}`);
    }
    const ms = Math.round((performance.now() - startedMs) / TIMES);
    const of = Object.keys(endpoint.values ?? {}).length === 0 ? '' : ` of ${rows.length} requests`;
    report(`endpoint ${name}${of}: ${lengths.join(' ')} (status/bytes), ${ms} ms each`);
  }
}

/** Several lists are combined row by row, the shorter one from its beginning again; one statement may give several values. */
async function rowsOf(values: WrittenValues, select: ProofTestbed['select']): Promise<Values[]> {
  const lists: Values[][] = [];
  for (const [name, source] of Object.entries(values)) {
    const list = await listOf(name, source, select);
    if (list.length === 0) throw new Error(`There are no values for ${name}.`);
    lists.push(list);
  }
  const length = Math.max(1, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, i) => Object.assign({}, ...lists.map((list) => list[i % list.length])));
}

async function listOf(name: string, source: WrittenValues[string], select: ProofTestbed['select']): Promise<Values[]> {
  if (typeof source === 'string') return select(source);
  if (Array.isArray(source)) return source.map((value) => ({ [name]: String(value) }));
  return (await select(source.sql)).map((row) => ({ [name]: Object.values(row)[0] ?? '' }));
}
