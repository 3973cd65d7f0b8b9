import type { Invocation, InvocationRequest } from '../definition.ts';
import { wholeSeconds } from '../durations.ts';
import { requestParts } from '../request.ts';
import { loadLength } from './length.ts';
import { READY_LINE, wrkScript } from './script.ts';

export const SCRIPT = 'wrk.lua';
export const RESULT = 'wrk.json';

/** wrk draws its statistics after the load; with 20,000 connections and a long timeout that takes seconds. */
const MARGIN_SECONDS = 10;

export function wrkInvocation(request: InvocationRequest): Invocation {
  const { load, connections, keepAlive } = request.case;
  if (load.generator !== 'wrk') throw new TypeError(`${request.case.key} is not a case of wrk`);
  const parts = requestParts(request);
  const sent = keepAlive ? parts : { ...parts, headers: [...parts.headers, closing] };
  const { toldSeconds, interruptAfterSeconds } = loadLength(request.durationSeconds);
  const timeout = wholeSeconds(load.timeoutSeconds);
  return {
    program: 'wrk',
    arguments: [
      '-t',
      String(threadCount(load.threads, connections)),
      '-c',
      String(connections),
      '-d',
      `${toldSeconds}s`,
      '--timeout',
      `${timeout}s`,
      '--latency',
      '-s',
      `${request.directory}/${SCRIPT}`,
      parts.url,
    ],
    files: { [SCRIPT]: wrkScript(sent, `${request.directory}/${RESULT}`) },
    results: [RESULT],
    env: {},
    timeoutSeconds: wholeSeconds(request.durationSeconds) + timeout + MARGIN_SECONDS,
    readyLine: READY_LINE,
    interruptAfterSeconds,
  };
}

const closing: [string, string] = ['Connection', 'close'];

/**
 * As many as asked for or the next fewer that divide the connections: wrk gives each thread ⌊connections ÷ threads⌋,
 * so 4 threads would open 8 of 10 connections and it refuses to start with more threads than connections.
 */
function threadCount(threads: number, connections: number): number {
  let count = Math.max(1, Math.min(threads, connections));
  while (connections % count !== 0) count -= 1;
  return count;
}
