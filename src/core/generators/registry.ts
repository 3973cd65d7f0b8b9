import type { GeneratorName } from '../measurement/names.ts';
import { ab } from './ab/definition.ts';
import type { GeneratorDefinition } from './definition.ts';
import { k6 } from './k6/definition.ts';
import { wrk } from './wrk/definition.ts';

/** Every generator that there is, in the order that reports show them. */
export const generators: Record<GeneratorName, GeneratorDefinition> = {
  wrk,
  k6,
  ab,
};

/** What warms up for all cases, whoever loads them afterwards. */
export const WARM_UP_GENERATOR = 'wrk' satisfies GeneratorName;
