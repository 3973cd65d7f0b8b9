import type { Protocol } from '../values/protocol.ts';
import { ab } from './ab/definition.ts';
import type { GeneratorDefinition } from './definition.ts';
import { h2load } from './h2load/definition.ts';
import { k6 } from './k6/definition.ts';
import type { LoadForms } from './load.ts';
import { wrk } from './wrk/definition.ts';

/** Every generator that there is, in the order that reports show them. */
const definitions = {
  wrk,
  k6,
  ab,
  h2load,
};

export type GeneratorName = keyof typeof definitions;
export const GENERATOR_NAMES = Object.keys(definitions) as [GeneratorName, ...GeneratorName[]];

export const generators: Record<GeneratorName, GeneratorDefinition<LoadForms, GeneratorName>> = definitions;

type FormsOf<Definition> = Definition extends GeneratorDefinition<infer Forms extends LoadForms> ? Forms : never;
/** Generator → one of the forms of its load. */
export type LoadOfEach<Form extends keyof LoadForms> = {
  [Name in GeneratorName]: FormsOf<(typeof definitions)[Name]>[Form];
};
/** What a generator is told for one case, besides connections and keep-alive. */
export type CaseLoad = LoadOfEach<'ofCase'>[GeneratorName];

const WARM_UP_GENERATOR = 'wrk' satisfies GeneratorName;
/** For a load that has none itself. */
const WARM_UP_TIMEOUT_SECONDS = 10;

/** What warms up for a case, whoever loads it afterwards: wrk costs least. Of what it cannot ask, its own generator does. */
export function warmUpGenerator(own: GeneratorName, protocol: Protocol): GeneratorName {
  return generators[WARM_UP_GENERATOR].protocols.includes(protocol) ? WARM_UP_GENERATOR : own;
}

/** The same request, keep-alive and connections, as what warms up asks them, for so many seconds. */
export function warmUpLoad(load: CaseLoad, protocol: Protocol, durationSeconds: number): CaseLoad {
  const own = generators[load.generator];
  if (warmUpGenerator(load.generator, protocol) !== WARM_UP_GENERATOR) {
    return (own.asClosedLoop(load, durationSeconds) ?? load) as CaseLoad;
  }
  const threads = own.threadsOf(load) ?? 1;
  const { timeoutSeconds = WARM_UP_TIMEOUT_SECONDS } = load;
  // What only a script asks would be cold without it.
  const script = load.generator === WARM_UP_GENERATOR && load.script !== undefined ? { script: load.script } : {};
  return { generator: WARM_UP_GENERATOR, threads, durationSeconds, timeoutSeconds, ...script };
}

export function warmUpGenerators(
  cases: readonly { generator: GeneratorName; service: { protocol: Protocol } }[],
): GeneratorName[] {
  return [...new Set(cases.map(({ generator, service }) => warmUpGenerator(generator, service.protocol)))];
}
