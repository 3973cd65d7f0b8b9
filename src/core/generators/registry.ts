import { ab } from './ab/definition.ts';
import type { GeneratorDefinition } from './definition.ts';
import { k6 } from './k6/definition.ts';
import type { LoadForms } from './load.ts';
import { wrk } from './wrk/definition.ts';

/** Every generator that there is, in the order that reports show them. */
const definitions = {
  wrk,
  k6,
  ab,
};

export type GeneratorName = keyof typeof definitions;
export const GENERATOR_NAMES = Object.keys(definitions) as [GeneratorName, ...GeneratorName[]];

export const generators: Record<GeneratorName, GeneratorDefinition> = definitions;

type FormsOf<Definition> = Definition extends GeneratorDefinition<infer Forms extends LoadForms> ? Forms : never;
/** Generator → one of the forms of its load. */
export type LoadOfEach<Form extends keyof LoadForms> = {
  [Name in GeneratorName]: FormsOf<(typeof definitions)[Name]>[Form];
};
/** What a generator is told for one case, besides connections and keep-alive. */
export type CaseLoad = LoadOfEach<'ofCase'>[GeneratorName];

/** What warms up for all cases, whoever loads them afterwards. */
export const WARM_UP_GENERATOR = 'wrk' satisfies GeneratorName;

/** The same request, keep-alive and connections, as what warms up asks them, for so many seconds. */
export function warmUpLoad(load: CaseLoad, durationSeconds: number): CaseLoad {
  const threads = generators[load.generator].threadsOf(load) ?? 1;
  return { generator: WARM_UP_GENERATOR, threads, durationSeconds, timeoutSeconds: load.timeoutSeconds };
}
