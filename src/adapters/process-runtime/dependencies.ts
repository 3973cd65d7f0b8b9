import { TestbedError, type TestbedRequest } from '../../app/ports/testbed.ts';
import type { Dependency } from '../../core/config/dependency.ts';
import { dependencyPlaceholders, startOrder } from '../../core/config/dependency-order.ts';
import type { PlaceholderValues } from '../../core/config/placeholders.ts';
import { dependencyPlan } from '../../core/topology/dependency-plan.ts';
import type { PartPlan } from '../../core/topology/part-plan.ts';
import { choosesItsPort } from '../../core/topology/shared-port.ts';
import type { Keeper } from '../prepare/restored-data.ts';
import { checkPortFree, freePort } from '../process/tcp-ports.ts';
import { type PartProcess, type ProcessSeat, startProcess } from './part-process.ts';
import { programWish } from './program-wish.ts';

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
  { from = new Map(), keepers = [] }: { from?: ReadonlyMap<string, string>; keepers?: Keeper[] } = {},
): Promise<PlaceholderValues> {
  const { first, then, stuck } = startOrder(request.spec.dependencies ?? []);
  if (stuck.length > 0) throw circle(stuck);
  for (const step of [first, ...then]) {
    for (const dependency of step) {
      const placeholders = { ...ofDatabase, ...dependencyPlaceholders(started) };
      const planned = dependencyPlan(dependency, { ...programWish(request), placeholders });
      const port = choosesItsPort(dependency) ? await freePort() : dependency.port;
      if (port !== null && port === dependency.port) await checkPortFree(port, planned.title, 'the dependency');
      const folder = from.get(dependency.name);
      const seat = { port, ...(folder === undefined ? {} : { from: folder }) };
      const part = await startProcess(planned, { id: newId(), ...seat }, signal);
      started.set(dependency.name, part);
      if ((dependency.volumes ?? []).length > 0) keepers.push(keeperOf(part, planned, seat, newId));
    }
    await Promise.all(step.map(({ name }) => started.get(name)!.ready(signal)));
  }
  return dependencyPlaceholders(started);
}

function keeperOf(part: PartProcess, planned: PartPlan, seat: Omit<ProcessSeat, 'id'>, newId: () => string): Keeper {
  return async (signal) => {
    // What it has is not wanted any more: it need not write it.
    await part.stop(0);
    // At the same port: others were told it.
    Object.assign(part, await startProcess(planned, { id: newId(), ...seat }, signal));
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
