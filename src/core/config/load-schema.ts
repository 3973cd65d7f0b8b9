import * as z from 'zod';
import { GENERATOR_NAMES, generators, type LoadOfEach } from '../generators/registry.ts';
import { duration, onOff } from '../values/scalars.ts';
import { DEFAULTS } from './defaults.ts';

export const PRESET_NAMES = ['standard', 'quick', 'abstract-rest', 'users-1000', 'hardware-tax', 'event-pong'] as const;

type WrittenLoads = LoadOfEach<'written'>;
type GeneratorKeys = {
  [Name in keyof WrittenLoads]: z.ZodOptional<z.ZodType<WrittenLoads[Name] | z.infer<typeof onOff>>>;
};
const generatorKeys = Object.fromEntries(
  GENERATOR_NAMES.map((name) => {
    const { written, example, description } = generators[name].load;
    return [name, z.union([written, onOff], `a map such as ${example}, on or off`).meta({ description }).optional()];
  }),
) as unknown as GeneratorKeys;

export const loadSchema = z
  .strictObject({
    preset: z
      .enum(PRESET_NAMES)
      .meta({
        description:
          'A whole load under one name; what stands beside it replaces it key by key. Without it, and without a generator, `standard`.',
      })
      .optional(),
    ...generatorKeys,
    'warm-up': z
      .union([z.literal('auto'), duration], 'auto, or a duration such as 5s or 500ms')
      .meta({
        description:
          'Load before a trial that counts for nothing. `auto`: until a window of 1 s answers at most 2 % more than those before it, 15 s at most. `0s`: none.',
        default: DEFAULTS.load['warm-up'],
      })
      .optional(),
    'cool-down': duration.meta({ description: 'Rest after a trial.', default: DEFAULTS.load['cool-down'] }).optional(),
  })
  .meta({ id: 'load' });

export type LoadInput = z.infer<typeof loadSchema>;
