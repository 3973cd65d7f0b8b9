import * as z from 'zod';
import { secondsWithoutPart } from '../values/forms.ts';
import { count, isOn, listOf, oneOrMore, onOff } from '../values/scalars.ts';
import { form, usual } from '../values/section.ts';

/** What stands under a generator's name in the spec, once it is resolved. Each of `connections` x `keepAlive` makes a case. */
export interface SpecLoad {
  connections: number[];
  keepAlive: boolean[];
  /** Of a trial measured by itself; absent where the generator sends a number of requests instead. */
  durationSeconds?: number;
  /** Absent where the generator has none. */
  timeoutSeconds?: number;
}

/** What the generator is told for one case, besides connections and keep-alive. */
export interface LoadOfCase {
  generator: string;
  durationSeconds?: number;
  timeoutSeconds?: number;
}

/** Of a generator whose load is this one. */
export type CaseOf<Name extends string, Load> = LoadOfCase &
  Omit<Load, 'connections' | 'keepAlive'> & { generator: Name };

/** Requests that are sent whatever comes back (open model): a share of what the service can answer, or a number. */
export type OpenArrival = { kind: 'share'; shareOfCapacity: number } | { kind: 'rate'; requestsPerSecond: number };

/** The forms of one generator's load: as a person writes it, in the resolved spec, in a case. */
export interface LoadForms {
  written: object;
  ofSpec: SpecLoad;
  ofCase: LoadOfCase;
}

/** A generator's part of the spec, from what a person may write to what a case is told. */
export interface LoadDefinition<Forms extends LoadForms = LoadForms> {
  /** For the reference; a sentence. */
  description: string;
  /** As in `a map such as {connections: [100]}, on or off`. */
  example: string;
  /** What may stand under the generator's name, `on` and `off` excepted, and what becomes of it. */
  keys: LoadKeys<Forms>;
  ofCase(load: Forms['ofSpec'], connections: number): Forms['ofCase'];
  /** Ends the case's key, as `@60%`; neither `/` nor a second `@`. Empty where the connections say all. */
  keySuffix(load: Forms['ofCase']): string;
  /** As it is where a glance will do: trials of so many seconds at most. */
  shortened(load: Forms['ofSpec'], seconds: number): Forms['ofSpec'];
  /** The user's own script, relative to the spec file. */
  scriptOf(load: Forms['ofSpec'] | Forms['ofCase']): string | null;
  /** What is wrong between its keys. */
  problems(written: WrittenLoad): LoadProblem[];
  /** What drives the requests, for the methodology: `4 threads`. */
  driven(load: Forms['ofSpec']): string;
}

interface LoadKeys<Forms extends LoadForms> {
  written: z.ZodType<Forms['written']>;
  /** What stands there where nothing is written, as a person would have written it. */
  usual: object;
  read(written: Forms['written']): Forms['ofSpec'];
  recorded: z.ZodType;
}

/** A generator's part of a spec that may hold anything. */
export interface WrittenLoad {
  /** Whether a map stands there, rather than nothing, `on` or `off`. */
  isMap: boolean;
  /** What stands under a key; undefined where nothing does. */
  at(key: string): unknown;
  /** The numbers of a key as they come out of the file, the preset and the defaults; none where the file has no numbers. */
  numbersOf(key: string): number[];
}

export interface LoadProblem {
  /** From the generator's name on. */
  path: string[];
  /** What is underlined. */
  at: 'key' | 'value';
  code: 'wrong-value' | 'contradiction';
  /** One sentence, which begins with the path as it stands in the file: `load.wrk.threads is empty: …`. */
  message: string;
  found?: string;
  expected?: string;
  nearest?: string;
}

/** Keys that are the same for every generator … */
const connections = form(
  oneOrMore(
    count('a number of connections, 1 to 65536', 1, 65_536),
    'a number of connections, or a list such as [100, 1000]',
  ),
  listOf<number>,
  z.array(z.number().int().nonnegative()),
);
const keepAlive = form(
  oneOrMore(onOff, 'on, off or [on, off]', 2),
  (written) => listOf(written).map(isOn),
  z.array(z.boolean()),
);

export function connectionsKey(value: readonly number[], description: string) {
  return usual(connections, [...value], description);
}
export function keepAliveKey(value: readonly ('on' | 'off')[], description: string) {
  return usual(keepAlive, [...value], description);
}
/** … of one that runs for a time … */
export function durationKey(value: string) {
  return usual(secondsWithoutPart, value, {
    as: 'durationSeconds',
    description: 'Length of a trial measured by itself.',
  });
}
/** … and of one that gives up waiting for an answer. */
export function timeoutKey(value: string, description: string) {
  return usual(secondsWithoutPart, value, { as: 'timeoutSeconds', description });
}

/** What of a load is the same for each of its cases. */
export function ownOf<Load extends SpecLoad>({ connections: _c, keepAlive: _k, ...own }: Load) {
  return own;
}

/** Of a load that has a duration: that of a glance at most. */
export function shortenedDuration<Load extends { durationSeconds: number }>(load: Load, seconds: number): Load {
  return { ...load, durationSeconds: Math.min(load.durationSeconds, seconds) };
}
