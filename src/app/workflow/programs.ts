import type { ActionInputs } from '../../core/action/inputs.ts';
import { searchesOf } from '../../core/capacity/search-case.ts';
import { GENERATOR_NAMES, type GeneratorName, warmUpGenerators } from '../../core/generators/registry.ts';
import type { Toolbox } from '../ports/tools.ts';
import { ownCases } from './planned-cases.ts';
import type { FoundSpec, LostSpec } from './specs.ts';
import { whyLost } from './why-lost.ts';

type Asked = Pick<ActionInputs, 'only' | 'quick' | 'shard'>;

/** Brings the generators that this machine loads with, each once. Resolves to the specs that one of them is missing for, and why. */
export async function specsWithoutProgram(
  specs: readonly FoundSpec[],
  asked: Asked,
  tools: Toolbox,
  signal: AbortSignal,
): Promise<LostSpec[]> {
  const needs = specs.map((found) => ({ specName: found.spec.name, generators: generatorsOf(found, asked) }));
  const missing = new Map<GeneratorName, string>();
  for (const name of GENERATOR_NAMES.filter((each) => needs.some(({ generators }) => generators.has(each)))) {
    try {
      await tools.bring([name], signal);
    } catch (error) {
      missing.set(name, whyLost(error));
    }
  }
  return needs.flatMap(({ specName, generators }) => {
    const why = [...missing].filter(([name]) => generators.has(name)).map(([, message]) => message);
    return why.length === 0 ? [] : [{ specName, why: why.join('\n') }];
  });
}

function generatorsOf(found: FoundSpec, asked: Asked): ReadonlySet<GeneratorName> {
  const cases = ownCases(found, asked) ?? [];
  const searching = searchesOf(found.spec, asked.only).map(({ search }) => search.generator);
  return new Set([...cases.map(({ generator }) => generator), ...warmUpGenerators(cases), ...searching]);
}
