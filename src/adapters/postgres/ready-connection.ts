import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { TestbedError } from '../../app/ports/testbed.ts';

/** Where a server answers, and whom it answers. */
export interface DatabaseAddress {
  host: string;
  port: number;
  /** A superuser: it creates roles and the statistics extension. */
  user: string;
  password: string;
  database: string;
  readyTimeoutSeconds: number;
}

const POLL_MS = 50;
/** A connection must outlive this by default: the init phase of an image may run a temporary server first and stop it. */
const SETTLE_MS = 150;
const ATTEMPT_TIMEOUT_MS = 2_000;

/**
 * Waits until a real query is answered, twice by the same server, `settleMs` apart.
 * Rejects with `TestbedError` 'database-not-ready' after the timeout, and with the signal's reason when aborted.
 */
export async function connectWhenReady(
  address: DatabaseAddress,
  signal: AbortSignal,
  settleMs = SETTLE_MS,
): Promise<pg.Client> {
  const deadline = performance.now() + address.readyTimeoutSeconds * 1000;
  let lastFailure = 'it was never tried';
  for (;;) {
    signal.throwIfAborted();
    try {
      return await connectOnce(address, settleMs, signal);
    } catch (error) {
      signal.throwIfAborted();
      lastFailure = describe(error);
    }
    if (performance.now() + POLL_MS > deadline) {
      throw new TestbedError(
        'database-not-ready',
        `Postgres at ${address.host}:${address.port} did not answer a query within ${address.readyTimeoutSeconds} s; ` +
          `the last attempt ended with: ${lastFailure}. Look at its log, or raise the database's ready timeout.`,
      );
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Opens one connection as the owner, with no wait; a server that ends it later does not end this process. */
export async function openConnection(address: DatabaseAddress, signal: AbortSignal): Promise<pg.Client> {
  signal.throwIfAborted();
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    user: address.user,
    password: address.password,
    database: address.database,
    application_name: 'wrkbench',
    connectionTimeoutMillis: ATTEMPT_TIMEOUT_MS,
    ssl: false,
    keepAlive: true,
  });
  // Without a listener a server that dies takes this process with it: an 'error' event that nobody hears is thrown.
  client.on('error', () => {});
  const over = new AbortController();
  try {
    // A client that is ended while it connects never says how that ended, once the server has let go.
    await Promise.race([client.connect(), abortion(signal, over.signal)]);
    return client;
  } catch (error) {
    await closeConnection(client);
    throw error;
  } finally {
    over.abort();
  }
}

/** Rejects with the reason when it is aborted; never settles otherwise, and hears of nothing once it is `over`. */
function abortion(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: over });
  });
}

/** Ends a connection, also one in the middle of a query; never rejects and waits half a second at most. */
export async function closeConnection(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => {});
  const timer = new AbortController();
  await Promise.race([ended, sleep(500, undefined, { signal: timer.signal, ref: false }).catch(() => {})]);
  timer.abort();
}

/** One line of what went wrong: node gathers refused addresses in an AggregateError whose own message is empty. */
export function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}

async function connectOnce(address: DatabaseAddress, settleMs: number, signal: AbortSignal): Promise<pg.Client> {
  const client = await openConnection(address, signal);
  try {
    const first = await startedAt(client);
    if (settleMs > 0) await sleep(settleMs, undefined, { signal });
    if ((await startedAt(client)) !== first) throw new Error('the server was restarted while it was asked');
    return client;
  } catch (error) {
    await closeConnection(client);
    throw error;
  }
}

async function startedAt(client: pg.Client): Promise<string> {
  const query = { text: 'SELECT pg_catalog.pg_postmaster_start_time()::text AS at', query_timeout: ATTEMPT_TIMEOUT_MS };
  const answer = await client.query<{ at: string }>(query);
  return answer.rows[0]?.at ?? '';
}
