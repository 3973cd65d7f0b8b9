import { TestbedError } from '../../app/ports/testbed.ts';
import type { Dependency } from '../../core/config/dependency.ts';
import { dependencyPlaceholders, startOrder } from '../../core/config/dependency-order.ts';
import { dependencyPlan, hostNamesOf } from '../../core/topology/dependency-plan.ts';
import type { PartPlan } from '../../core/topology/part-plan.ts';
import { projectFiles } from '../parts/project-files.ts';
import type { DatabaseAccess } from './database-access.ts';
import type { DependencyData, FolderData } from './dependency-data.ts';
import type { Engine } from './engine.ts';
import { type Part, type PartFrame, replacePart } from './part.ts';
import { type Seat, startPlanned, waitForPart } from './planned-part.ts';
import { removeContainers } from './removal.ts';
import { buildFolderOf, imageKeyOf } from './support-images.ts';
import { type Parts, programWish, type TestbedPlan } from './testbed-parts.ts';
import { together } from './together.ts';

/** Name → where others reach it. */
export type Reached = ReadonlyMap<string, { host: string; port: number | null }>;

interface StartedDependencies {
  reached: Reached;
  /** Resolves when all of them are up. */
  ready(signal: AbortSignal): Promise<void>;
}

/**
 * Starts the dependencies: at once those that name neither another one nor the database, and then those that do, each when what it
 * names is up. Rejects with `TestbedError`: 'start-failed', 'dependency-failed' or 'out-of-memory', or what the database does.
 */
export async function startDependencies(
  engine: Engine,
  plan: TestbedPlan,
  access: DatabaseAccess | null,
  frame: PartFrame,
  parts: Parts,
  signal: AbortSignal,
  data: { way: FolderData['way']; of: DependencyData } = { way: 'copied', of: {} },
): Promise<StartedDependencies> {
  const { request, names } = plan;
  const order = startOrder(request.spec.dependencies ?? []);
  refuseCircle(order.stuck);
  const reached = new Map<string, { host: string; port: number | null }>();
  let waits: ((signal: AbortSignal) => Promise<void>)[] = [];
  const start = async (dependency: Dependency): Promise<void> => {
    const { name, port, files } = dependency;
    const planned: PartPlan = dependencyPlan(dependency, {
      ...programWish(request),
      image: plan.imageOf(imageKeyOf(dependency, buildFolderOf(request))),
      placeholders: { ...access?.placeholders, ...dependencyPlaceholders(reached) },
      files: await projectFiles(files, request.specDirectory, `dependency ${name}`),
    });
    const seat = {
      container: names.dependencies[name]!,
      network: names.databaseNetwork,
      hosts: dependencyHosts(request.spec.dependencies ?? [], reached),
      ...(data.of[name] === undefined ? {} : { data: { way: data.way, folders: data.of[name] } }),
    };
    const part = await startPlanned(engine, planned, seat, frame);
    parts.dependencies.set(name, part);
    reached.set(name, { host: addressOf(part, names.databaseNetwork), port });
    if (dependency.stateless !== true) parts.keepers.push(() => restarted(engine, part, planned, seat, frame));
    waits.push((linked) => waitForPart(engine, part, planned, names.databaseNetwork, linked));
  };
  const ready = async (linked: AbortSignal) => {
    const pending = waits;
    waits = [];
    await together(linked, ...pending);
  };
  await together(signal, ...order.first.map((each) => () => start(each)));
  for (const [index, step] of order.then.entries()) {
    await together(signal, ready, async (linked) => {
      if (index === 0) await access?.ready(linked);
    });
    await together(signal, ...step.map((each) => () => start(each)));
  }
  return { reached, ready };
}

/** Another container in its place, with the data that the first one began with; resolves to what waits for it. */
async function restarted(
  engine: Engine,
  part: Part,
  planned: PartPlan,
  seat: Seat,
  frame: PartFrame,
): Promise<(signal: AbortSignal) => Promise<void>> {
  await removeContainers(engine, [seat.container]);
  replacePart(part, await startPlanned(engine, planned, seat, frame), seat.network);
  return (signal) => waitForPart(engine, part, planned, seat.network, signal);
}

/** Host name → address, of those that are reached so far. */
export function dependencyHosts(dependencies: readonly Dependency[], reached: Reached): Record<string, string> {
  return Object.fromEntries(
    dependencies.flatMap((each) => {
      const at = reached.get(each.name);
      return at === undefined ? [] : hostNamesOf(each).map((name) => [name, at.host] as const);
    }),
  );
}

function addressOf({ state }: Part, network: string): string {
  return state.addresses[network] ?? '';
}

/** A spec that is checked has none. */
function refuseCircle(stuck: readonly Dependency[]): void {
  if (stuck.length === 0) return;
  const names = stuck.map(({ name }) => name).join(', ');
  throw new TestbedError(
    'start-failed',
    `The dependencies ${names} cannot be started: each waits for another of them. Leave one of their \${NAME.host} out.`,
  );
}
