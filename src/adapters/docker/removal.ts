import { setTimeout as sleep } from 'node:timers/promises';
import { containersOf, type TestbedNames } from '../../core/topology/names.ts';
import { removeParentFolders } from './cgroup-folders.ts';
import type { Engine } from './engine.ts';
import { bridgeOf, removeMetadataRules } from './metadata-rules.ts';

/** The engine lets go of a container's address a moment after the container. */
const NETWORK_ATTEMPTS = 20;

/** As much as a runner container's taking down takes at most. */
const TAKE_DOWN_SECONDS = 60;

/**
 * Removes all that a testbed can have, whether it is there or not; never rejects. Containers are killed, not asked: a
 * benchmark has nothing to save, and a server may take its time to stop.
 */
export async function removeTestbed(engine: Engine, names: TestbedNames): Promise<void> {
  await removeContainers(engine, containersOf(names));
  const networks = [names.applicationNetwork, names.databaseNetwork];
  await Promise.all(networks.map((name) => removeNetwork(engine, name)));
  const bridges = networks.map(bridgeOf);
  await removeMetadataRules((bridge) => bridges.includes(bridge));
  removeParentFolders(names.base);
}

/** What a program may take to end in order, before it is ended. */
const STOP_SECONDS = 10;

/** Asks it to end, and ends it where it does not. It stays, ended. Never rejects. */
export async function stopContainer(engine: Engine, container: string, seconds = STOP_SECONDS): Promise<void> {
  const call = ['container', 'stop', '--time', String(seconds), container];
  await engine.call(call, { timeoutSeconds: seconds + 30 }).catch(() => {});
}

/** They stay, ended. What is not there, or has ended, is no matter. */
export async function endContainers(engine: Engine, containers: string[]): Promise<void> {
  await engine.call(['container', 'kill', ...containers]).catch(() => {});
}

/** With their anonymous volumes. What is not there is no matter. */
export async function removeContainers(engine: Engine, containers: string[]): Promise<void> {
  await engine.call(['container', 'rm', '--force', '--volumes', ...containers]).catch(() => {});
}

/** What is not there is no matter. */
export async function removeVolumes(engine: Engine, volumes: string[]): Promise<void> {
  if (volumes.length > 0) await engine.call(['volume', 'rm', '--force', ...volumes]).catch(() => {});
}

/** Interrupts the run in a runner container, and resolves when it has taken down what it had started. Never rejects. */
export async function stopRunnerContainer(engine: Engine, container: string): Promise<void> {
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
