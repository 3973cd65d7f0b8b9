import { isOverTls } from '../../values/protocol.ts';
import type { Invocation, InvocationRequest } from '../definition.ts';
import { wholeSeconds } from '../durations.ts';
import { differingParts, loadOfCase, type RequestParts, requestParts } from '../request.ts';
import type { WrkCaseLoad } from './load.ts';
import { wrkRequestFile } from './request-file.ts';
import { ENDED_LINE, READY_LINE, wrkScript, wrkUserScript } from './script.ts';

const SCRIPT = 'wrk.lua';
export const RESULT = 'wrk.json';
const REQUESTS = 'requests';
const OWN_FOLDER = 'own';

/** wrk draws its statistics after the load; with 20,000 connections and a long timeout that takes seconds. */
const MARGIN_SECONDS = 10;

export function wrkInvocation(request: InvocationRequest): Invocation {
  const { connections, keepAlive } = request.case;
  const load = loadOfCase<WrkCaseLoad>(request, 'wrk');
  const parts = requestParts(request);
  const sent = (each: RequestParts) => (keepAlive ? each : { ...each, headers: [...each.headers, closing] });
  const threads = threadCount(load.threads, connections);
  const requestFile = requestFileOf(request, sent);
  const asked = requestFile === null ? sent(parts) : { path: `${request.directory}/${REQUESTS}`, threads };
  const { optionSeconds, interruptAfterSeconds } = loadLength(request.durationSeconds);
  const timeout = wholeSeconds(load.timeoutSeconds);
  const ours = wrkScript(asked, `${request.directory}/${RESULT}`);
  const own = request.script;
  return {
    program: 'wrk',
    arguments: [
      '-t',
      String(threads),
      '-c',
      String(connections),
      '-d',
      `${optionSeconds}s`,
      '--timeout',
      `${timeout}s`,
      '--latency',
      '-s',
      `${request.directory}/${SCRIPT}`,
      parts.url,
    ],
    files: { [SCRIPT]: own === null ? ours : wrkUserScript(ours, `${request.directory}/${OWN_FOLDER}/${own}`) },
    ...(requestFile === null ? {} : { binaryFiles: { [REQUESTS]: requestFile } }),
    // Lua looks for what a script opens where its program was started.
    ...(own === null
      ? {}
      : { scriptFolders: [OWN_FOLDER], startFolder: `${OWN_FOLDER}/${own}`.replace(/\/[^/]*$/, '') }),
    results: [RESULT],
    env: {},
    timeoutSeconds: wholeSeconds(request.durationSeconds) + timeout + MARGIN_SECONDS,
    readyLine: READY_LINE,
    endedLine: ENDED_LINE,
    interruptAfterSeconds,
  };
}

const closing: [string, string] = ['Connection', 'close'];

/** Null where the script has the one request. Over TLS it is taken from a file too: what is written then tells not how many were sent. */
function requestFileOf(request: InvocationRequest, sent: (each: RequestParts) => RequestParts): Uint8Array | null {
  const { endpoint, service } = request.case;
  const { requestSet } = endpoint;
  if (requestSet !== undefined) return wrkRequestFile(differingParts(request).map(sent), requestSet.order);
  if (!isOverTls(service.protocol) || request.script !== null) return null;
  return wrkRequestFile([sent(requestParts(request))], Uint32Array.of(0));
}

/**
 * As many as asked for or the next fewer that divide the connections: wrk gives each thread ⌊connections ÷ threads⌋,
 * so 4 threads would open 8 of 10 connections and it refuses to start with more threads than connections.
 */
function threadCount(threads: number, connections: number): number {
  let count = Math.max(1, Math.min(threads, connections));
  while (connections % count !== 0) count -= 1;
  return count;
}

/** wrk's threads look every 100 ms whether they are to stop. */
const TICKS_PER_SECOND = 10;

/** How wrk is held to a length that it cannot be told: `-d` takes whole seconds only. */
interface LoadLength {
  /** For `-d`: more than the length, so that it only matters where the interrupt gets lost. */
  optionSeconds: number;
  /**
   * In the middle between two looks of the threads, so that all of them stop at the same tick, the one at the length's
   * end. By `-d` alone wrk wakes up at about a tick, and half of the trials are a tick longer. A thread's ticks fall behind
   * by some 3 ms a second, so that trials of more than 15 s may still end a tick early; nothing loads both sides so long.
   */
  interruptAfterSeconds: number;
}

/** Of a length in tenths of a second; a part of one is rounded up, so that nothing is cut short. */
function loadLength(durationSeconds: number): LoadLength {
  // 0.7 * 10 is a little more than 7.
  const ticks = Math.max(1, Math.ceil(Number((durationSeconds * TICKS_PER_SECOND).toFixed(6))));
  return {
    optionSeconds: Math.floor(ticks / TICKS_PER_SECOND) + 1,
    interruptAfterSeconds: (ticks - 0.5) / TICKS_PER_SECOND,
  };
}
