import { setTimeout as sleep } from 'node:timers/promises';
import { type Testbed, TestbedError, type TestbedRequest } from '../../app/ports/testbed.ts';
import type { Endpoint, Service } from '../../core/config/resolved.ts';
import { isServed } from '../../core/verification/expectation.ts';
import { createHttpProbe } from '../http/probe.ts';
import type { KeptData } from '../postgres/kept-data.ts';

/** What stands before the data that are put back, as the runtime sees it. */
export interface ServiceBeforeData {
  service: Service;
  /** What it may be asked without changing anything. */
  reading: readonly Endpoint[];
  /** `http://172.18.0.3:8080` */
  origin(): string;
  /** Resolves once the service answers as one that is up, through the pooler where there is one. Rejects with `TestbedError`. */
  answers(timeoutSeconds: number, signal: AbortSignal): Promise<void>;
  /** Ends it and starts it anew, up to where it answers. Rejects with `TestbedError`. */
  restart(signal: AbortSignal): Promise<void>;
}

/** Puts a dependency back to how it began, by another start of it; what it resolves to waits for that. Rejects with `TestbedError`. */
export type Keeper = (signal: AbortSignal) => Promise<(signal: AbortSignal) => Promise<void>>;

/** A pool opens new connections with the first request; a service that takes longer than this is started anew. */
const ANSWER_SECONDS = 10;
/** What ends because of its lost connections does so within this. */
const LAST_MS = 100;

interface Listeners {
  /** What stands may be new. */
  onRestored(): void;
  onActivity: TestbedRequest['onActivity'];
}

/** What puts data back, of a testbed whose data have a snapshot. */
export function restorable(
  { data, keepers }: { data: KeptData | null; keepers: readonly Keeper[] },
  service: ServiceBeforeData,
  { onRestored, onActivity }: Listeners,
): Required<Pick<Testbed, 'dataChanged' | 'restoreData' | 'restartService' | 'rememberData'>> {
  return {
    // What a dependency has written it does not say.
    dataChanged: async () => keepers.length > 0 || (data !== null && (await data.hasChanged())),
    async restoreData(signal) {
      onActivity?.({ kind: 'restore' });
      try {
        await data?.restore(signal);
        const waits = [];
        // One after the other: each gets the address that it had.
        for (const again of keepers) waits.push(await again(signal));
        await Promise.all(waits.map((wait) => wait(signal)));
        const serviceRestarted = !(await survives(service, signal));
        if (serviceRestarted) await service.restart(signal);
        // What it has written meanwhile is what it writes at every start.
        await data?.remember();
        onRestored();
        return { serviceRestarted };
      } finally {
        onActivity?.(null);
      }
    },
    async restartService(signal) {
      await service.restart(signal);
      await data?.remember();
      onRestored();
    },
    rememberData: async () => await data?.remember(),
  };
}

/** As many as a pool may have lost: each fails one request. */
const MOST_LOST = 100;

/**
 * Whether each endpoint that only reads is answered again: what answers at its ready path may have no database any more, and one endpoint
 * may need what another does not.
 */
async function reads({ service, reading, origin }: ServiceBeforeData, signal: AbortSignal): Promise<boolean> {
  const probe = createHttpProbe();
  const deadline = performance.now() + ANSWER_SECONDS * 1000;
  let left = reading;
  for (let asked = 0; left.length > 0 && asked < MOST_LOST && performance.now() < deadline; asked += 1) {
    const unserved: Endpoint[] = [];
    for (const endpoint of left) {
      if (!isServed(await probe.ask(origin(), service, endpoint, signal), endpoint)) unserved.push(endpoint);
    }
    left = unserved;
  }
  return left.length === 0;
}

/** Whether a service goes on without the connections that it had: some end with them, and some never open others. */
async function survives(service: ServiceBeforeData, signal: AbortSignal): Promise<boolean> {
  try {
    await service.answers(ANSWER_SECONDS, signal);
    await sleep(LAST_MS, undefined, { signal });
    await service.answers(ANSWER_SECONDS, signal);
    return await reads(service, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TestbedError) return false;
    throw error;
  }
}
