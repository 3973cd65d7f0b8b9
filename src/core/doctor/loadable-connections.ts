import { casesOf } from '../config/case.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import { withLoads } from '../config/selection.ts';
import { planOf } from '../plan/plan.ts';
import type { MachineFacts } from './facts.ts';
import { loadablePart } from './loadable.ts';
import type { WantedRuntime } from './runtime.ts';

/**
 * The spec without the numbers of connections that no case can have on this machine, so that a quick run takes the most that there can be.
 * A generator that is left without any keeps all of its own: its cases name what is missing.
 */
export function withLoadableConnections(
  spec: ResolvedSpec,
  facts: MachineFacts,
  wanted: WantedRuntime = 'auto',
): ResolvedSpec {
  const { unloadable } = loadablePart(spec, planOf(spec, { seed: 1 }), facts, wanted);
  const without = new Set(unloadable.map((each) => each.case.key));
  const loadable = casesOf(spec).filter(({ key }) => !without.has(key));
  return withConnections(spec, (name, connections) =>
    loadable.some((each) => each.generator === name && each.connections === connections),
  );
}

/** The spec with no numbers of connections but those of another one, generator by generator. */
export function withConnectionsOf(other: ResolvedSpec, spec: ResolvedSpec): ResolvedSpec {
  return withConnections(spec, (name, connections) => other.load[name]?.connections.includes(connections) ?? true);
}

function withConnections(
  spec: ResolvedSpec,
  isKept: (name: Parameters<Parameters<typeof withLoads>[1]>[0], connections: number) => boolean,
): ResolvedSpec {
  return withLoads(spec, (name, load) => {
    const kept = load.connections.filter((connections) => isKept(name, connections));
    return kept.length === 0 ? load : { ...load, connections: kept };
  });
}
