import { TestbedError, type TestbedRequest } from '../../app/ports/testbed.ts';
import type { Dependency } from '../../core/config/dependency.ts';
import { dependencyPlaceholders, startOrder } from '../../core/config/dependency-order.ts';
import type { PlaceholderValues } from '../../core/config/placeholders.ts';
import { dependencyPlan } from '../../core/topology/dependency-plan.ts';
import type { PartPlan } from '../../core/topology/part-plan.ts';
import type { Keeper } from '../prepare/restored-data.ts';
import type { NetworkNamespace } from '../process/network-namespace.ts';
import { type PartProcess, startProcess } from './part-process.ts';
import { programWish } from './program-wish.ts';
import { seatPorts } from './seat-ports.ts';

/**
 * Each step when the one before is up; `started` is filled as they come. Those that keep data begin with what lies in the folders of
 * `from`, and `keepers` are those that do so again. Resolves to what `${redis.host}` and the like stand for.
 */
export async function startDependencies(
  started: Map<string, PartProcess>,
  request: TestbedRequest,
  ofDatabase: PlaceholderValues,
  newId: () => string,
  signal: AbortSignal,
  {
    from = new Map(),
    keepers = [],
    network,
  }: { from?: ReadonlyMap<string, string>; keepers?: Keeper[]; network: NetworkNamespace | null },
): Promise<PlaceholderValues> {
  const { first, then, stuck } = startOrder(request.spec.dependencies ?? []);
  if (stuck.length > 0) throw circle(stuck);
  for (const step of [first, ...then]) {
    for (const dependency of step) {
      const placeholders = { ...ofDatabase, ...dependencyPlaceholders(started) };
      const planned = dependencyPlan(dependency, { ...programWish(request), placeholders });
      const at = await seatPorts(dependency, planned.title, { whose: 'the dependency', network });
      const folder = from.get(dependency.name);
      const seat = { ...at, network, ...(folder === undefined ? {} : { from: folder }) };
      const part = await startProcess(planned, { id: newId(), ...seat }, signal);
      started.set(dependency.name, part);
      if ((dependency.volumes ?? []).length > 0) keepers.push(keeperOf(part, planned, newId));
    }
    await Promise.all(step.map(({ name }) => started.get(name)!.ready(signal)));
  }
  return dependencyPlaceholders(started);
}

function keeperOf(part: PartProcess, planned: PartPlan, newId: () => string): Keeper {
  return async (signal) => {
    await part.stop();
    // At the same port: others were told it.
    Object.assign(part, await startProcess(planned, { ...part.seat, id: newId() }, signal));
    return (awaited) => part.ready(awaited);
  };
}

/** A spec that is checked has none. */
function circle(stuck: readonly Dependency[]): TestbedError {
  const names = stuck.map(({ name }) => name).join(', ');
  return new TestbedError(
    'start-failed',
    `The dependencies ${names} cannot be started: each waits for another of them. Leave one of their \${NAME.host} out.`,
  );
}
