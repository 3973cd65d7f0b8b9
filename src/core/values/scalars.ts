/**
 * The smallest parts of what a person may write. Each has one phrase that says what is expected, and each checks by a
 * pattern or a range as far as it can, so that an editor with the JSON Schema sees the same mistakes.
 */

import * as z from 'zod';
import { REMOTE_CONTEXT } from './remote-context.ts';
import { DURATION, MICROSECONDS, PERCENTAGE, RATE, SHARE, SIZE, WHOLE_SECONDS } from './units.ts';

function text(phrase: string, pattern: RegExp) {
  return z.string(phrase).regex(pattern, phrase);
}

export function count(phrase: string, min: number, max: number) {
  return z.int(phrase).min(min, phrase).max(max, phrase);
}

/** One value, or a list of at least one. */
export function oneOrMore<T extends z.ZodType>(item: T, phrase: string, max = 32) {
  return z.union([item, z.array(item, phrase).min(1, phrase).max(max, phrase)], phrase);
}

/** What `oneOrMore` holds, as a list. */
export function listOf<T>(value: T | readonly T[]): T[] {
  return Array.isArray(value) ? [...value] : [value as T];
}

/** Part of case keys, folders, container names and commit statuses: neither `/` nor `@`, and no upper case. */
export const slug = text(
  'a name of lower-case letters, digits and inner . _ - (64 at most)',
  /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/,
).meta({ id: 'name' });

export const duration = text('a duration with its unit, such as 10s, 500ms or 2m', DURATION).meta({ id: 'duration' });

export const wholeSeconds = text('whole seconds with their unit, such as 10s or 2m', WHOLE_SECONDS).meta({
  id: 'whole-seconds',
});

const SIZE_PHRASE = 'a size with its unit, such as 512m or 1g';
export const size = z
  .union([text(SIZE_PHRASE, SIZE), count(SIZE_PHRASE, 0, Number.MAX_SAFE_INTEGER)], SIZE_PHRASE)
  .meta({ id: 'size' });

/** A part of something. */
export const share = text('a percentage such as 5%, 100% at most', SHARE).meta({ id: 'share' });

export const percentage = text('a percentage such as 3%', PERCENTAGE).meta({ id: 'percentage' });

/** Inside the folder of the spec file: neither absolute, nor through `..`, nor to be taken for an option. */
const RELATIVE_PHRASE = "a path inside the spec's folder, relative to it, without ..";
/** The address of something elsewhere is none. */
const RELATIVE = /^(?![-/])(?![a-zA-Z][a-zA-Z0-9+.-]*:\/\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\\\p{Cc}]{1,1024}$/u;
export const relativePath = text(RELATIVE_PHRASE, RELATIVE).meta({ id: 'relative-path' });

/** What is built: a folder of the checkout, or a repository at a commit. */
export const buildContext = text(
  `${RELATIVE_PHRASE}, or a repository at a full commit such as https://host/repo.git#COMMIT:folder`,
  new RegExp(`${RELATIVE.source}|${REMOTE_CONTEXT.source}`, 'u'),
).meta({ id: 'build-context' });

/** A second `/` or a `\` after the first one would begin the name of another host in a URL. */
export const requestPath = text(
  'a path that begins with a single / and holds no space or # (write others as %20)',
  /^\/(?:[!"$-.0-[\]-~][!"$-~]{0,2047})?$/,
).meta({ id: 'request-path' });

export const imageReference = text(
  'an image such as nginx:1.29 or ghcr.io/acme/api@sha256:…',
  /^[A-Za-z0-9][A-Za-z0-9._/:@-]{0,511}$/,
).meta({ id: 'image' });

export const identifier = text(
  'a name of lower-case letters, digits and _, as SQL takes it without quotes',
  /^[a-z_][a-z0-9_]{0,62}$/,
).meta({ id: 'identifier' });

/** One line, as a settings file or a SQL literal can hold it. */
export const password = text(
  'a password of one line, 128 characters at most, in quotes where it is a number',
  /^[^\p{Cc}\p{Zl}\p{Zp}]{1,128}$/u,
).meta({ id: 'password' });

/** What people read beside a name: one line, without what would turn the rest of it around. */
export const label = text(
  'text of one line, 80 characters at most, in quotes where it is a number',
  /^(?=\S)[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,80}(?<=\S)$/u,
).meta({ id: 'label' });

/** Without a user or password in it: it is shown. */
export const webAddress = text(
  'an address that begins with https:// or http://, without a password',
  /^https?:\/\/[A-Za-z0-9.-]{1,253}(?::\d{1,5})?(?:[/?#][!-~]{0,1023})?$/,
).meta({ id: 'web-address' });

const CPUS_PHRASE = 'a list of CPUs such as 0, 0-1 or 0,2-3';
export const cpuList = z
  .union(
    [text(CPUS_PHRASE, /^\d{1,4}(?:-\d{1,4})?(?:,\d{1,4}(?:-\d{1,4})?)*$/), count(CPUS_PHRASE, 0, 9999)],
    CPUS_PHRASE,
  )
  .meta({ id: 'cpu-list' });

export const onOff = z
  .union([z.boolean(), z.enum(['on', 'off', 'true', 'false'])], 'on or off')
  .meta({ id: 'on-or-off' });
export type OnOff = z.infer<typeof onOff>;

/** Of `on`, `off` and a map of keys, which is `on` too. */
export function isOn(value: OnOff | object): boolean {
  return value !== false && value !== 'off' && value !== 'false';
}

const VALUE_PHRASE = 'text, a number, true or false';
/** What becomes text: without NUL, which neither an environment nor a command line can hold. */
export const plainValue = z
  .union([text(VALUE_PHRASE, /^[^\0]*$/), z.number(VALUE_PHRASE), z.boolean(VALUE_PHRASE)], VALUE_PHRASE)
  .meta({ id: 'value' });

export const environmentName = text(
  'a variable name: letters, digits and _, not beginning with a digit',
  /^[A-Za-z_][A-Za-z0-9_]{0,254}$/,
);

export const settingName = text('the name of a Postgres setting', /^[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?$/);

export const headerName = text('the name of an HTTP header', /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/);
/** Visible US-ASCII and inner spaces: what every generator passes on unchanged. */
export const headerValue = text('a header value of plain characters on one line', /^[!-~](?:[ -~]{0,4094}[!-~])?$/);

const LIMIT_PHRASES: Record<string, [phrase: string, pattern: RegExp]> = {
  ms: ['milliseconds as a number, or a duration such as 50ms', DURATION],
  us: ['microseconds as a number, or 120us', either(MICROSECONDS, DURATION)],
  bytes: ['bytes as a number, or a size such as 64m', SIZE],
  'req/s': ['requests per second as a number, or 2000/s', RATE],
  '1/request': ['a number per request, or a percentage such as 0.1%', PERCENTAGE],
};

/** A quantity of a metric: in its unit as a plain number, or with a unit beside it. */
export function quantity(unit: string) {
  const [phrase, pattern] = LIMIT_PHRASES[unit]!;
  return z.union([z.number(phrase).min(0, phrase), text(phrase, pattern)], phrase);
}

/** How much a metric may change: a percentage is relative, everything else absolute. */
export function change(unit: string) {
  const [phrase, pattern] = LIMIT_PHRASES[unit]!;
  const whole = `a percentage such as 3%, or ${phrase.replace(/, or a percentage.*/, '')}`;
  return z.union([z.number(whole).min(0, whole), text(whole, either(PERCENTAGE, pattern))], whole);
}

function either(a: RegExp, b: RegExp): RegExp {
  return new RegExp(`${a.source}|${b.source}`);
}
