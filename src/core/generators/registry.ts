import type { GeneratorName } from '../measurement/names.ts';
import { ab } from './ab/definition.ts';
import type { GeneratorDefinition } from './definition.ts';
import { k6 } from './k6/definition.ts';
import { wrk } from './wrk/definition.ts';

/** Every generator that there is. */
export const generators: Record<GeneratorName, GeneratorDefinition> = {
  wrk,
  k6,
  ab,
};
