import type * as z from 'zod';
import { count, isOn, listOf, type OnOff, oneOrMore, onOff, wholeSeconds } from '../values/scalars.ts';
import { secondsOf } from '../values/units.ts';

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

/** Requests that are sent whatever comes back (open model): a share of what the service can answer, or a number. */
export type OpenArrival = { kind: 'share'; shareOfCapacity: number } | { kind: 'rate'; requestsPerSecond: number };

/** The forms of one generator's load: as a person writes it, with its defaults filled in, in the resolved spec, in a case. */
export interface LoadForms {
  written: object;
  filled: object;
  ofSpec: SpecLoad;
  ofCase: LoadOfCase;
}

/** Each key with a value, its own or the default. */
export type Filled<Written> = { [Key in keyof Written]-?: Exclude<Written[Key], undefined> };

/** A generator's part of the spec, from what a person may write to what a case is told. */
export interface LoadDefinition<Forms extends LoadForms = LoadForms> {
  /** For the reference; a sentence. */
  description: string;
  /** As in `a map such as {connections: [100]}, on or off`. */
  example: string;
  /** What may stand under the generator's name, `on` and `off` excepted. */
  written: z.ZodType<Forms['written']>;
  /** What stands there where nothing is written, as a person would have written it. */
  defaults: object;
  ofSpec(filled: Forms['filled']): Forms['ofSpec'];
  ofCase(load: Forms['ofSpec'], connections: number): Forms['ofCase'];
  /** Ends the case's key, as `@60%`; neither `/` nor a second `@`. Empty where the connections say all. */
  keySuffix(load: Forms['ofCase']): string;
  /** As it is where a glance will do: trials of so many seconds at most. */
  shortened(load: Forms['ofSpec'], seconds: number): Forms['ofSpec'];
  /** The user's own script, relative to the spec file. */
  scriptOf(load: Forms['ofSpec'] | Forms['ofCase']): string | null;
  /** `ofSpec` as `run.json` holds it. */
  recorded: z.ZodType;
  /** What is wrong between its keys. */
  problems(written: WrittenLoad): LoadProblem[];
  /** What drives the requests, for the methodology: `4 threads`. */
  driven(load: Forms['ofSpec']): string;
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

/** Keys that are the same for every generator. */
export const connectionsKey = oneOrMore(
  count('a number of connections, 1 to 65536', 1, 65_536),
  'a number of connections, or a list such as [100, 1000]',
);
export const keepAliveKey = oneOrMore(onOff, 'on, off or [on, off]', 2);

/** Of a generator that runs for a time. */
export function durationKey(usual: string) {
  return wholeSeconds.meta({ description: 'Length of a trial measured by itself.', default: usual }).optional();
}

/** What becomes of the keys that every generator has … */
export function commonLoad(filled: {
  connections: number | number[];
  'keep-alive': OnOff | OnOff[];
}): Pick<SpecLoad, 'connections' | 'keepAlive'> {
  return { connections: listOf(filled.connections), keepAlive: listOf(filled['keep-alive']).map(isOn) };
}

/** … and of those that it has where it gives up waiting for an answer. */
export function commonLoadWithTimeout(filled: Parameters<typeof commonLoad>[0] & { timeout: string }) {
  return { ...commonLoad(filled), timeoutSeconds: secondsOf(filled.timeout) };
}

/** Of a load that has a duration: that of a glance at most. */
export function shortenedDuration<Load extends { durationSeconds: number }>(load: Load, seconds: number): Load {
  return { ...load, durationSeconds: Math.min(load.durationSeconds, seconds) };
}
