import { type Connected, restoreSnapshot, takeSnapshot } from './data-snapshot.ts';
import { connectDatabase, type OwnerSession } from './session.ts';

/** Data that can be put back as they were. */
export interface KeptData {
  /** From now on `hasChanged` tells what comes after. */
  remember(): Promise<void>;
  /** Whether a transaction has written anything since then. Rejects with `TestbedError`. */
  hasChanged(): Promise<boolean>;
  /** Puts all of them back, and remembers that; whoever was connected to the database no longer is. Rejects with `TestbedError`. */
  restore(signal: AbortSignal): Promise<void>;
}

/** The owner's connection to a database with its snapshot; it outlives what it is connected to. */
export interface KeptSession {
  session: OwnerSession;
  data: KeptData;
}

/** Takes the snapshot of a database that is as it is to be: its session ends for that, and another one begins. */
export async function sessionWithSnapshot(
  session: OwnerSession,
  connected: Connected,
  signal: AbortSignal,
): Promise<KeptSession> {
  await session.close();
  await takeSnapshot(connected, signal);
  return keptSession(await connectDatabase({ ...connected, init: null, settleMs: 0 }, signal), connected);
}

/** Of a database that has its snapshot already. */
export function keptSession(first: OwnerSession, connected: Connected): KeptSession {
  let current = first;
  let known: string | null = null;
  const remember = async () => {
    known = await current.lastChange();
  };
  const session: OwnerSession = {
    get version() {
      return current.version;
    },
    lost: () => current.lost(),
    statements: () => current.statements(),
    resetStatements: () => current.resetStatements(),
    markStatements: () => current.markStatements(),
    rows: () => current.rows(),
    connections: () => current.connections(),
    lastChange: () => current.lastChange(),
    selected: (sql, mostRows) => current.selected(sql, mostRows),
    close: () => current.close(),
  };
  return {
    session,
    data: {
      remember,
      hasChanged: async () => (await current.lastChange()) !== known,
      async restore(signal) {
        await current.close();
        await restoreSnapshot(connected, signal);
        current = await connectDatabase({ ...connected, init: null, settleMs: 0 }, signal);
        await remember();
      },
    },
  };
}
