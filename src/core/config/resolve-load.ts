import { GENERATOR_NAMES, type GeneratorName, generators } from '../generators/registry.ts';
import { isOn } from '../values/scalars.ts';
import { secondsOf } from '../values/units.ts';
import { AUTO_WARM_UP, DEFAULTS } from './defaults.ts';
import type { LoadInput } from './load-schema.ts';
import { PRESETS } from './presets.ts';
import type { GeneratorLoads, Load, WarmUp } from './resolved.ts';

/** The load with its preset, what stands beside the preset, and the defaults, in the order of rising strength. */
export function loadOf(input: LoadInput): Load {
  const somethingIsOn = GENERATOR_NAMES.map((name) => input[name]).some(
    (load) => load !== undefined && load !== null && isOn(load),
  );
  const preset = input.preset ?? (somethingIsOn ? null : DEFAULTS.load.preset);
  const base: LoadInput = preset === null ? {} : PRESETS[preset];
  return {
    ...(Object.fromEntries(GENERATOR_NAMES.map((name) => [name, generatorLoad(name, base, input)])) as GeneratorLoads),
    warmUp: warmUpOf(input['warm-up'] ?? base['warm-up'] ?? DEFAULTS.load['warm-up']),
    coolDownSeconds: secondsOf(input['cool-down'] ?? base['cool-down'] ?? DEFAULTS.load['cool-down']),
  };
}

/** Null where the generator is neither of the preset nor written, or is written as `off`. */
function generatorLoad(name: GeneratorName, { [name]: base }: LoadInput, { [name]: input }: LoadInput) {
  if (input === undefined ? base === undefined : !isOn(input)) return null;
  const { load } = generators[name];
  return load.ofSpec({ ...load.defaults, ...keysOf(base), ...keysOf(input) });
}

function keysOf(value: unknown): object {
  return value !== null && typeof value === 'object' ? value : {};
}

function warmUpOf(input: string): WarmUp {
  return input === 'auto' ? { kind: 'auto', ...AUTO_WARM_UP } : { kind: 'fixed', seconds: secondsOf(input) };
}
