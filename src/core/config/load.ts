import * as z from 'zod';
import { GENERATOR_NAMES, type GeneratorName, generators, type LoadOfEach } from '../generators/registry.ts';
import { seconds } from '../values/forms.ts';
import { duration, isOn, type OnOff, onOff } from '../values/scalars.ts';
import { type Form, form, type Key, orNull, section, usual, writtenOnly } from '../values/section.ts';

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

export const PRESET_NAMES = ['standard', 'quick', 'abstract-rest', 'users-1000', 'hardware-tax', 'event-pong'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** Where neither a preset nor a generator is written. */
export const USUAL_PRESET = 'standard' satisfies PresetName;

/** Whole loads under one name. What stands beside `preset` in the file replaces these key by key. */
export const PRESETS = {
  /** The Apostol matrix. */
  standard: {
    wrk: { threads: 4, connections: [100, 1000], 'keep-alive': ['on', 'off'], duration: '10s', timeout: '2s' },
    k6: { rate: '60%', connections: [50], 'keep-alive': ['on'], duration: '10s', timeout: '10s' },
  },
  quick: {
    wrk: { threads: 2, connections: [64], 'keep-alive': ['on', 'off'], duration: '2s', timeout: '2s' },
    'warm-up': '1s',
    'cool-down': '500ms',
  },
  'abstract-rest': {
    wrk: { threads: 8, connections: [512], 'keep-alive': ['on'], duration: '2m', timeout: '10s' },
  },
  'users-1000': {
    ab: { requests: 10_000, connections: [128], 'keep-alive': ['off'] },
  },
  'hardware-tax': {
    ab: { requests: 100_000, connections: [1000], 'keep-alive': ['off'] },
  },
  'event-pong': {
    wrk: {
      threads: { 2: 1, 400: 2, 20000: 4 },
      connections: [2, 400, 20_000],
      'keep-alive': ['on'],
      duration: '60s',
      timeout: '2s',
    },
  },
} as const satisfies Record<PresetName, object>;

/** One sentence each, for the reference. */
export const PRESET_MEANINGS: Record<PresetName, string> = {
  standard:
    'wrk, 4 threads, 100 and 1000 connections, keep-alive on and off, and k6 at 60 % of capacity, 50 connections, 10 s each',
  quick: 'a first look: wrk, 2 threads, 64 connections, keep-alive on and off, 2 s each after 1 s of warm-up',
  'abstract-rest': 'wrk, 8 threads, 512 connections, keep-alive, 2 minutes, answers may take 10 s',
  'users-1000': 'ab, 10,000 requests over 128 connections, without keep-alive',
  'hardware-tax': 'ab, 100,000 requests over 1000 connections, without keep-alive',
  'event-pong': 'wrk, 1 thread for 2 connections, 2 for 400, 4 for 20,000, keep-alive, 1 minute each',
};

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
