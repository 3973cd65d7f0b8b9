/** A service that limits how often it is asked, told to let pass all that a generator sends. */
import type { SetVariable } from './environment.ts';
import { isSource } from './files.ts';
import { VARIABLE_NAMES } from './insisted-variables.ts';
import type { ServiceSign } from './service-sign.ts';
import type { SpecParts } from './spec-text.ts';
import type { Repair } from './start-repair.ts';

const OF_LIMIT = /RATE_?LIMIT|THROTTL|(?:MAX_)?REQUESTS?_PER_|MAX_REQUESTS|LIMITER_|_LIMITER/;
/** What else is said of a limit: for how long it counts, where, and of whom. */
const OF_SOMETHING_ELSE =
  /(?:WINDOW|TTL|DURATION|PERIOD|INTERVAL|DELAY|HEADERS?|STORE|STORAGE|REDIS|BACKEND|URL|PREFIX|KEY|MESSAGE|TYPE|STRATEGY|WHITELIST|ALLOWLIST|IPS?)(?:_|$)|(?<!PER)_(?:MS|SECONDS?|SECS?|MINUTES?|HOURS?|DAYS?)$/;
/** More than any generator sends, and still an integer of 32 bits. */
const NO_LIMIT = '1000000000';
const NOTE = 'so that it does not answer 429 (Too Many Requests) under load';

/** Null where nothing that its files name sets a limit. */
export function withoutRateLimit(parts: SpecParts, name: string): Repair | null {
  const own = parts.services.find((each) => each.name === name);
  if (own === undefined) return null;
  const raised = limitNames(own).flatMap((each): SetVariable[] => {
    const before = own.env.find((variable) => variable.name === each);
    const value = raisedValue(each, before?.value ?? '');
    return value === before?.value ? [] : [{ name: each, value, from: before?.from ?? '', note: NOTE }];
  });
  if (raised.length === 0) return null;
  const names = new Set(raised.map((each) => each.name));
  const env = [...own.env.filter((each) => !names.has(each.name)), ...raised];
  const unset = own.unset.filter((each) => !names.has(each.name));
  const services = parts.services.map((each) => (each === own ? { ...own, env, unset } : each));
  return { parts: { ...parts, services }, sentence: `It has a rate limit: ${[...names].join(', ')}.` };
}

function limitNames({ env, unset, program }: ServiceSign): string[] {
  const sources = (program?.files ?? []).filter(({ path }) => isSource(path));
  const read = sources.flatMap(({ content }) => content.match(VARIABLE_NAMES) ?? []);
  const all = [...env, ...unset].map(({ name }) => name).concat(read);
  return [...new Set(all)].filter((name) => OF_LIMIT.test(name) && !OF_SOMETHING_ELSE.test(name)).slice(0, MOST_NAMES);
}

const MOST_NAMES = 10;

/** `100/minute` keeps what it is of. */
function raisedValue(name: string, value: string): string {
  if (/(?:^|_)(?:DISABLED?|NO|SKIP)(?:_|$)/.test(name)) return 'true';
  if (/(?:^|_)(?:ENABLED?|USE|ACTIVE|ON)(?:_|$)/.test(name) || /^(?:true|false|on|off|yes|no)$/i.test(value))
    return 'false';
  return /\d/.test(value) ? value.replaceAll(/\d+(?=\s*(?:\/|per\b|r\/|,|;|$))/g, NO_LIMIT) : NO_LIMIT;
}
