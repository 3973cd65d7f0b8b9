/** Values of the spec that are read into something else: quantities into one unit, lists and maps into one form. */
import * as z from 'zod';
import { duration, listOf, oneOrMore, percentage, plainValue, share, size, wholeSeconds } from './scalars.ts';
import { type Form, form } from './section.ts';
import { bytesOf, millisecondsOf, ratioOf, secondsOf } from './units.ts';

/** Finite: `1e999` in a record would otherwise arrive as Infinity. */
const figure = z.number();

export const seconds = form(duration, secondsOf, figure);
export const secondsWithoutPart = form(wholeSeconds, secondsOf, figure);
export const milliseconds = form(duration, millisecondsOf, figure);
export const bytes = form(size, bytesOf, figure);
export const ratio = form(percentage, ratioOf, figure);
export const partOfAll = form(share, ratioOf, figure);

/** A map of values that become text. */
export function texts(name: z.ZodString, phrase?: string): Form<Record<string, PlainValue>, Record<string, string>> {
  return form(z.record(name, plainValue, phrase), textsOf, z.record(z.string(), z.string()));
}
type PlainValue = z.infer<typeof plainValue>;

export function textsOf(values: Readonly<Record<string, PlainValue>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** One text, or a list of them. */
export function textOrTexts(item: z.ZodString, phrase: string, max?: number): Form<string | string[], string[]> {
  return form(oneOrMore(item, phrase, max), listOf<string>, z.array(z.string()));
}

/** A command line, word by word. */
export function words(phrase: string, most: number): Form<PlainValue[], string[]> {
  const written = z.array(plainValue, phrase).min(1, phrase).max(most, phrase);
  return form(written, (values) => values.map(String), z.array(z.string()));
}
