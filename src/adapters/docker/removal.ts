import { setTimeout as sleep } from 'node:timers/promises';
import type { InstanceNames } from '../../core/topology/names.ts';
import { removeParentFolders } from './cgroup-folders.ts';
import type { Engine } from './engine.ts';

/** The engine lets go of a container's address a moment after the container. */
const NETWORK_ATTEMPTS = 20;

/** As much as a companion's taking down takes at most. */
const TAKE_DOWN_SECONDS = 60;

/**
 * Removes all that an instance can have, whether it is there or not; never rejects. Containers are killed, not asked: a
 * benchmark has nothing to save, and a server may take its time to stop.
 */
export async function removeInstance(engine: Engine, names: InstanceNames): Promise<void> {
  const containers = [names.service, names.database, names.pooler, names.gateway];
  await removeContainers(engine, containers);
  await Promise.all([names.applicationNetwork, names.databaseNetwork].map((name) => removeNetwork(engine, name)));
  removeParentFolders(names.base);
}

/** With their anonymous volumes. What is not there is no matter. */
export async function removeContainers(engine: Engine, containers: string[]): Promise<void> {
  await engine.call(['container', 'rm', '--force', '--volumes', ...containers]).catch(() => {});
}

/** Interrupts the run in a companion, and resolves when it has taken down what it had started. Never rejects. */
export async function stopCompanion(engine: Engine, container: string): Promise<void> {
  const call = ['container', 'stop', '--time', String(TAKE_DOWN_SECONDS), container];
  await engine.call(call, { timeoutSeconds: TAKE_DOWN_SECONDS + 30 }).catch(() => {});
}

/** Resolves to whether it is gone. */
export async function removeNetwork(engine: Engine, network: string): Promise<boolean> {
  for (let attempt = 0; attempt < NETWORK_ATTEMPTS; attempt += 1) {
    try {
      await engine.call(['network', 'rm', network]);
      return true;
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      if (/not found|no such network/i.test(message)) return true;
      if (!/active endpoints|in use/i.test(message)) return false;
      await sleep(50);
    }
  }
  return false;
}
