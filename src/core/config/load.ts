import * as z from 'zod';
import { GENERATOR_NAMES, type GeneratorName, generators, type LoadOfEach } from '../generators/registry.ts';
import { seconds } from '../values/forms.ts';
import { duration, isOn, type OnOff, onOff } from '../values/scalars.ts';
import { type Form, form, type Key, orNull, section, usual, writtenOnly } from '../values/section.ts';
import { PRESET_NAMES, PRESETS, type PresetName, USUAL_PRESET } from './presets.ts';

/** `auto`: until a window answers at most `tolerance` more than the best one before it, `maxSeconds` at most. */
export type WarmUp =
  | { kind: 'auto'; windowSeconds: number; tolerance: number; maxSeconds: number }
  | { kind: 'fixed'; seconds: number };

/** `warm-up: auto`: until a window answers no more than those before it, or the last second is over. */
export const AUTO_WARM_UP = { windowSeconds: 1, tolerance: 0.02, maxSeconds: 15 } as const;

const warmUp = form(
  z.union([z.literal('auto'), duration], 'auto, or a duration such as 5s or 500ms'),
  (written): WarmUp =>
    written === 'auto' ? { kind: 'auto', ...AUTO_WARM_UP } : { kind: 'fixed', seconds: seconds.read(written) },
  z.union([
    z.looseObject({
      kind: z.literal('auto'),
      windowSeconds: z.number(),
      tolerance: z.number(),
      maxSeconds: z.number(),
    }),
    z.looseObject({ kind: z.literal('fixed'), seconds: z.number() }),
  ]),
);

type Loads = LoadOfEach<'ofSpec'>;
type GeneratorKeys = {
  [Name in GeneratorName]: Key<LoadOfEach<'written'>[Name] | OnOff, Loads[Name] | null, null, false>;
};
/** Each is null where the generator is off, and in a record that was made before there was the generator. */
const generatorKeys = Object.fromEntries(
  GENERATOR_NAMES.map((name) => {
    const { keys, example, description } = generators[name].load;
    const phrase = `a map such as ${example}, on or off`;
    const whole = form(
      z.union([keys.written, onOff], phrase),
      (written) => (isOn(written as OnOff) ? keys.read(keysOf(written) as never) : null),
      keys.recorded,
    );
    return [name, orNull(whole, { description, isNewer: true })];
  }),
) as unknown as GeneratorKeys;

const keys = section(
  {
    preset: writtenOnly(
      z.enum(PRESET_NAMES),
      'A whole load under one name; what stands beside it replaces it key by key. Without it, and without a generator, `standard`.',
    ),
    ...generatorKeys,
    'warm-up': usual(warmUp, 'auto', {
      as: 'warmUp',
      description:
        'Load before a trial that counts for nothing. `auto`: until a window of 1 s answers at most 2 % more than those before it, 15 s at most. `0s`: none.',
    }),
    'cool-down': usual(seconds, '1s', { as: 'coolDownSeconds', description: 'Rest after a trial.' }),
  },
  { id: 'load' },
);
type LoadInput = Parameters<typeof keys.read>[0];

/** The load with its preset, what stands beside the preset, and the usual values, in the order of rising strength. */
export const load: Form<LoadInput, ReturnType<typeof keys.read>> & { recorded: z.ZodObject } = {
  written: keys.written,
  read: (written) => keys.read(withPreset(written)),
  recorded: keys.recorded,
};

function withPreset(written: LoadInput): LoadInput {
  const isAnyOn = GENERATOR_NAMES.some((name) => written[name] !== undefined && isOn(written[name]));
  const name: PresetName | null = written.preset ?? (isAnyOn ? null : USUAL_PRESET);
  const base = (name === null ? {} : PRESETS[name]) as LoadInput;
  const merged = GENERATOR_NAMES.flatMap((generator) => {
    const own = written[generator];
    if (own === undefined || !isOn(own)) return [];
    return [[generator, { ...keysOf(base[generator]), ...keysOf(own) }]];
  });
  return { ...base, ...written, ...Object.fromEntries(merged) };
}

function keysOf(value: unknown): object {
  return value !== null && typeof value === 'object' ? value : {};
}
