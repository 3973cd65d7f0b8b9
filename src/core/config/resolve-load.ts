import { AUTO_WARM_UP, DEFAULTS } from './defaults.ts';
import type { AbInput, K6Input, LoadInput, WrkInput } from './load-schema.ts';
import { PRESETS } from './presets.ts';
import type { AbLoad, K6Arrival, K6Load, Load, WarmUp, WrkLoad } from './resolved.ts';
import { PERCENTAGE, perSecondOf, ratioOf, secondsOf } from './units.ts';

type OnOff = boolean | 'on' | 'off' | 'true' | 'false';
type OneOrMore<T> = T | readonly T[];
type Whole<T> = { [Key in keyof T]-?: Exclude<T[Key], undefined> };

/** The load with its preset, what stands beside the preset, and the defaults, in the order of rising strength. */
export function loadOf(input: LoadInput): Load {
  const somethingIsOn = [input.wrk, input.k6, input.ab].some(
    (load) => load !== undefined && load !== null && isOn(load),
  );
  const preset = input.preset ?? (somethingIsOn ? null : DEFAULTS.load.preset);
  const base: LoadInput = preset === null ? {} : PRESETS[preset];
  const wrk = generatorLoad<WrkInput>(base.wrk, input.wrk, DEFAULTS.wrk);
  const k6 = generatorLoad<K6Input>(base.k6, input.k6, DEFAULTS.k6);
  const ab = generatorLoad<AbInput>(base.ab, input.ab, DEFAULTS.ab);
  return {
    wrk: wrk && wrkOf(wrk),
    k6: k6 && k6Of(k6),
    ab: ab && abOf(ab),
    warmUp: warmUpOf(input['warm-up'] ?? base['warm-up'] ?? DEFAULTS.load['warm-up']),
    coolDownSeconds: secondsOf(input['cool-down'] ?? base['cool-down'] ?? DEFAULTS.load['cool-down']),
  };
}

/** Null where a generator is neither of the preset nor written, or is written as `off`. */
function generatorLoad<T extends object>(
  base: T | OnOff | undefined,
  input: T | OnOff | undefined,
  defaults: object,
): Whole<T> | null {
  if (input === undefined ? base === undefined : !isOn(input)) return null;
  return { ...defaults, ...keysOf(base), ...keysOf(input) } as Whole<T>;
}

function keysOf(value: unknown): object {
  return value !== null && typeof value === 'object' ? value : {};
}

function wrkOf(load: Whole<WrkInput>): WrkLoad {
  const { threads } = load;
  const rest = {
    connections: list(load.connections),
    keepAlive: list<OnOff>(load['keep-alive']).map(isOn),
    durationSeconds: secondsOf(load.duration),
    timeoutSeconds: secondsOf(load.timeout),
  };
  if (typeof threads === 'number') return { threads, ...rest };
  const threadSteps = Object.entries(threads)
    .map(([from, count]) => ({ fromConnections: Number(from), threads: count }))
    .sort((a, b) => a.fromConnections - b.fromConnections);
  return { threads: Math.max(...Object.values(threads)), threadSteps, ...rest };
}

function k6Of(load: Whole<Omit<K6Input, 'script'>> & Pick<K6Input, 'script'>): K6Load {
  return {
    arrival: arrivalOf(load.rate),
    connections: list(load.connections),
    keepAlive: list<OnOff>(load['keep-alive']).map(isOn),
    durationSeconds: secondsOf(load.duration),
    timeoutSeconds: secondsOf(load.timeout),
    script: load.script ?? null,
  };
}

function arrivalOf(rate: string): K6Arrival {
  if (rate === 'vus') return { kind: 'vus' };
  if (PERCENTAGE.test(rate)) return { kind: 'share', shareOfCapacity: ratioOf(rate) };
  return { kind: 'rate', requestsPerSecond: perSecondOf(rate) };
}

function abOf(load: Whole<AbInput>): AbLoad {
  return {
    requests: load.requests,
    connections: list(load.connections),
    keepAlive: list<OnOff>(load['keep-alive']).map(isOn),
    timeoutSeconds: secondsOf(load.timeout),
  };
}

function warmUpOf(input: string): WarmUp {
  return input === 'auto' ? { kind: 'auto', ...AUTO_WARM_UP } : { kind: 'fixed', seconds: secondsOf(input) };
}

/** Of `on`, `off` and a map of keys, which is `on` too. */
function isOn(value: OnOff | object): boolean {
  return value !== false && value !== 'off' && value !== 'false';
}

function list<T>(value: OneOrMore<T>): T[] {
  return Array.isArray(value) ? [...value] : [value as T];
}
