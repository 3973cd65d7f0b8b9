import { stringify } from 'yaml';
import type * as z from 'zod';
import { LONGEST_SECONDS } from './bounds.ts';
import { nearest } from './nearest.ts';
import { LONGEST_TRY_SECONDS } from './search-checks.ts';
import type { Path } from './source.ts';
import { accepts } from './vocabulary.ts';

/** A value that its place does not take. */
export interface WrongValue {
  path: Path;
  value: unknown;
  /** The phrase that says what is expected. */
  expected: string;
  /** What is expected, where that is one of a few words. */
  words: readonly unknown[];
}

/** What the person most likely wanted to write; null where that is not clear, or would be wrong at its place as well. */
export function betterValue(wrong: WrongValue, schema: z.ZodType): string | null {
  const better = likelyValue(wrong);
  return better !== null && accepts(schema, wrong.path, better.value) ? better.text : null;
}

/** As it is written, and as YAML reads it. */
interface Better {
  text: string;
  value: unknown;
}

function likelyValue({ path, value, expected, words }: WrongValue): Better | null {
  if (isReadyOfService(path) && /^\d+$/.test(String(value))) return asText('port');
  if (typeof value === 'number') {
    return /seconds|duration/.test(expected) ? asText(durationAt(path, value)) : ofRate(value, expected);
  }
  if (typeof value !== 'string') return null;
  if (words.length > 0) return ofWords(value, words);
  if (/^\d+$/.test(value) && /number|port|CPU|status/.test(expected)) return { text: value, value: Number(value) };
  if (/^[1-9]\d?\s+%$/.test(value) && /percentage|60%/.test(expected)) return asText(value.replaceAll(/\s/g, ''));
  if (expected.startsWith('a path that begins with a single /')) return asText(`/${value.replace(/^[/\\]+/, '')}`);
  if (expected.startsWith('a list of words')) return asList(value);
  return ofRate(value, expected);
}

function isReadyOfService(path: Path): boolean {
  return path.length === 3 && path[0] === 'services' && path[2] === 'ready';
}

const asText = (text: string | null): Better | null => (text === null ? null : { text, value: text });

function ofWords(value: string, words: readonly unknown[]): Better | null {
  const text = nearest(value, words.map(String));
  return text === null ? null : { text, value: words.find((word) => String(word) === text) };
}

/** Where a wait or a rest may be left out. */
const MAY_BE_NOTHING = ['load.warm-up', 'load.cool-down'];
/** No comparison shows anything in less. */
const LEAST_BUDGET_SECONDS = 30;

/** A number without a unit, as a duration of the usual one: latencies are thought of in milliseconds, and budgets in minutes. */
function durationAt(path: Path, amount: number): string | null {
  const place = path.join('.');
  if (!Number.isInteger(amount) || amount < 0) return null;
  if (amount === 0) return MAY_BE_NOTHING.includes(place) ? '0s' : null;
  if (place === 'search.limits.p99') return `${amount}ms`;
  if (place === 'gate.budget' && amount < LEAST_BUDGET_SECONDS) return `${amount}m`;
  return amount <= (place === 'search.duration' ? LONGEST_TRY_SECONDS : LONGEST_SECONDS) ? `${amount}s` : null;
}

const RATE_IN_WORDS = /^(\d{1,9}(?:\.\d{1,6})?) *((?:req(?:uests)?|r)? *\/ *s(?:ec(?:ond)?)?|rps|qps)?$/i;

/** `500`, `500 req/s` and `500rps` as `500/s`; a bare number up to 100, and a part of 1, as a share where there can be one. */
function ofRate(value: string | number, expected: string): Better | null {
  if (!/rate such as|per second/.test(expected)) return null;
  const [, digits = '', unit] = RATE_IN_WORDS.exec(String(value)) ?? [];
  const amount = Number(digits);
  if (amount === 0) return null;
  if (unit !== undefined || !expected.includes('60%') || amount > 100) return asText(`${digits}/s`);
  return asText(`${Number((amount < 1 ? amount * 100 : amount).toPrecision(9))}%`);
}

/** A command line by its words; a shell's quotes are not taken apart. */
function asList(line: string): Better | null {
  if (line.trim() === '' || /["'\\]/.test(line)) return null;
  const words = line.trim().split(/\s+/);
  const text = stringify(words, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 });
  return { text: text.trim(), value: words };
}
