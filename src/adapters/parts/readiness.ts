import { setTimeout as sleep } from 'node:timers/promises';
import { TestbedError } from '../../app/ports/testbed.ts';
import { printedLast } from '../../core/topology/ended-part.ts';
import type { NotReadyFailure, PartReadiness } from '../../core/topology/part-readiness.ts';
import { originOf } from '../../core/values/protocol.ts';
import { waitUntilReady } from '../network/readiness.ts';
import { askRedis } from '../network/redis-loading.ts';
import { closeConnection, describe, openConnection } from '../postgres/ready-connection.ts';

/** A part that has been started, as the runtime sees it. */
export interface StartedPart {
  host: string;
  /** Null for a part that listens on none. */
  port: number | null;
  /** Whether its main process runs. */
  alive(): boolean;
  /**
   * Whether its port is open only to those who stand where it does, from where it is not asked. Of a service: a database may be up so while
   * its image sets it up, as that of MongoDB is.
   */
  isInsideAlone?(): boolean;
  /** What is known of its ports, as the end of a sentence; `whose` as in `describeListeners`. */
  refused(whose: string): string;
  /** Runs a command where the part is; resolves to null where it ended with status 0, else to what it said last. */
  run(command: readonly string[], timeoutSeconds: number, signal: AbortSignal): Promise<string | null>;
}

const POLL_MS = 50;

/** Waits until a part is up. Rejects with the `TestbedError` that its plan names, or with the signal's reason. */
export async function waitUntilUp(ready: PartReadiness, part: StartedPart, signal: AbortSignal): Promise<void> {
  switch (ready.kind) {
    case 'answer':
      return await waitForAnswer(ready, part, signal);
    case 'query':
      return await waitForQuery(ready, part, signal);
    case 'command':
      return await waitForCommand(ready, part, signal);
    case 'running':
      return;
  }
}

type Of<Kind extends PartReadiness['kind']> = Extract<PartReadiness, { kind: Kind }>;

async function waitForAnswer(ready: Of<'answer'>, part: StartedPart, signal: AbortSignal): Promise<void> {
  const { asked, protocol, timeoutSeconds } = ready;
  const origin = originOf(protocol, part.host, part.port);
  const { alive, isInsideAlone = () => false } = part;
  const readiness = await waitUntilReady({ origin, asked, protocol, timeoutSeconds, alive, isInsideAlone }, signal);
  if (readiness.kind !== 'ready') throw failed(ready.failure(readiness, origin, part.refused));
  if (ready.isRedis) await waitForData(ready, part, signal);
}

const NOT_READ = {
  loading: 'it is still reading its data',
  silent: 'it takes connections and says nothing',
};

async function waitForData(ready: Of<'answer'>, part: StartedPart, signal: AbortSignal): Promise<void> {
  const { host, port, refused } = part;
  await attempts(ready.timeoutSeconds, signal, async () => {
    const said = await askRedis(host, port ?? 0, signal);
    if (said === 'up') return null;
    return failed(ready.failure({ kind: 'failed', message: NOT_READ[said] }, `http://${host}:${port}`, refused));
  });
}

async function waitForQuery(ready: Of<'query'>, { host, port }: StartedPart, signal: AbortSignal): Promise<void> {
  const { user, password, database, timeoutSeconds: readyTimeoutSeconds } = ready;
  const address = { host, port: port ?? 0, user, password, database, readyTimeoutSeconds };
  await attempts(readyTimeoutSeconds, signal, async () => {
    try {
      const client = await openConnection(address, signal);
      await client.query('SELECT 1').finally(() => closeConnection(client));
      return null;
    } catch (error) {
      return failed(ready.failure(`${host}:${port}`, describe(error)));
    }
  });
}

/** Of one attempt: a command that hangs is begun anew. */
const COMMAND_SECONDS = 10;

async function waitForCommand(ready: Of<'command'>, part: StartedPart, signal: AbortSignal): Promise<void> {
  const { timeoutSeconds } = ready;
  const command = ready.commandAt(part.port);
  await attempts(timeoutSeconds, signal, async () => {
    const said = await part.run(command, Math.min(COMMAND_SECONDS, timeoutSeconds), signal);
    return said === null ? null : failed(ready.failure(said));
  });
}

/** Tries until nothing is wrong, or the time is over: then with what was wrong last. */
async function attempts(
  seconds: number,
  signal: AbortSignal,
  attempt: () => Promise<TestbedError | null>,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const failure = await attempt();
    if (failure === null) return;
    signal.throwIfAborted();
    if (performance.now() > deadline) throw failure;
    await sleep(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

function failed({ code, message }: NotReadyFailure): TestbedError {
  return new TestbedError(code, message);
}

/** Postgres says so too while it comes up and goes down. */
const REFUSAL = /\b(?:FATAL|ERROR):(?!\s+the database system is)/;
const MOST_LINES = 5;

/**
 * Waits for a service, and gives its failure what its database has printed of refusing it: many a server ends without a word where its
 * password is wrong. `printed`: the last lines of the database; null where there is none.
 */
export async function withRefusals(
  wait: Promise<void>,
  printed: (() => string[] | Promise<string[]>) | null,
): Promise<void> {
  try {
    await wait;
  } catch (error) {
    if (!(error instanceof TestbedError) || printed === null) throw error;
    const { code, message, logLines } = error;
    const refusals = (await printed()).filter((line) => REFUSAL.test(line)).slice(-MOST_LINES);
    if (refusals.length === 0) throw error;
    const told = message.replace(printedLast([]), 'It printed nothing. Its database says why.');
    throw new TestbedError(code, told, [...logLines, ...refusals.map((line) => `database: ${line.trim()}`)]);
  }
}
