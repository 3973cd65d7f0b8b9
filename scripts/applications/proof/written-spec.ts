import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A request as a spec writes it; texts may hold placeholders. */
export interface WrittenRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  form?: Record<string, string>;
  expect?: number | { status?: number };
  repeat?: number;
  take?: Record<string, string>;
}

export type WrittenStep =
  | { job: string[]; env?: Record<string, string> }
  | { sql: string | string[] }
  | { start: true }
  | { requests: WrittenRequest | WrittenRequest[] };

export type WrittenLogin = { request: WrittenRequest; take?: Record<string, string>; expect?: number };

interface WrittenProgram {
  command: string[];
  env?: Record<string, string>;
}

/** By name; under `sql`, and as a plain text, a statement whose columns are several of them. */
export type WrittenValues = Record<string, (string | number)[] | { sql: string } | string>;

export interface WrittenEndpoint extends WrittenRequest {
  values?: WrittenValues;
  writes?: boolean;
}

/** What a proof needs of a spec, as it is written. */
export interface WrittenSpec {
  name: string;
  services: Record<string, WrittenProgram & { ready: string | { path: string }; ports?: Record<string, number> }>;
  dependencies?: Record<string, WrittenProgram>;
  prepare?: WrittenStep[];
  login?: WrittenLogin | { steps: WrittenLogin[] };
  endpoints: Record<string, string | WrittenEndpoint>;
}

/** What a placeholder stands for: `database.url`, `redis.port`, `login.token`, `n`. */
export type Values = Record<string, string>;

export function readWrittenSpec(path: string): WrittenSpec {
  return parse(readFileSync(path, 'utf8'), { merge: true }) as WrittenSpec;
}

/** The text with each `${NAME}` replaced. Throws where one stands for nothing. */
export function filled(text: string, values: Values): string {
  return text.replaceAll(/\$\{([^}]*)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined)
      throw new Error(`${whole} stands for nothing here; there are ${Object.keys(values).join(', ')}.`);
    return value;
  });
}

export function filledEach(texts: Record<string, string> = {}, values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filled(text, values)]));
}

export function listOf<T>(one: T | T[]): T[] {
  return Array.isArray(one) ? one : [one];
}
