import template from '../../../../templates/wrk.lua';
import requestsTemplate from '../../../../templates/wrk-requests.lua';
import userScriptTemplate from '../../../../templates/wrk-user-script.lua';
import { filled } from '../../format/template.ts';
import type { RequestParts } from '../request.ts';

/** Percentiles that are asked of wrk; each costs one pass over its histogram, after the load. */
const PERCENTILES = [50, 75, 90, 95, 99, 99.9, 99.99];

/** What wrk prints before anything else, when all that is left is to load. */
export const READY_LINE = 'wrkbench: ready';

/** What it prints last, when its load has ended: its connections are open until its standard input ends. */
export const ENDED_LINE = 'wrkbench: ended';

/** Requests that differ: the file of `request-file.ts`, and how many threads share them. */
export interface DifferingRequests {
  path: string;
  threads: number;
}

/**
 * The Lua script of one execution. It sets the request once and defines `setup`, which waits for the word to begin, `init`
 * and `done`, which waits for the word to close its connections. They cost nothing under load; a `request` or `response` function
 * is called for each request and cuts the load. So only requests that differ, and those over TLS, have a `request`, which is one look
 * into two tables: `npm run bench:requests` tells what it costs.
 */
export function wrkScript(request: RequestParts | DifferingRequests, resultPath: string): string {
  return filled(template, {
    ...('threads' in request ? differingRequests(request) : oneRequest(request)),
    __READY_LINE__: luaString(`${READY_LINE}\n`),
    __ENDED_LINE__: luaString(`${ENDED_LINE}\n`),
    __RESULT_PATH__: luaString(resultPath),
    __PERCENTILES__: PERCENTILES.join(', '),
  });
}

function oneRequest({ method, headers, body }: RequestParts): Record<string, string> {
  const named = headers.map(([name, value]) => `wrk.headers[${luaString(name)}] = ${luaString(value)}`);
  const content = body === null ? [] : [`wrk.body = ${luaString(body)}`];
  return {
    '-- __REQUEST__': [`wrk.method = ${luaString(method)}`, ...content, ...named].join('\n'),
    '   -- __EACH_THREAD__\n': '',
    '   -- __SENT__\n': '',
  };
}

function differingRequests({ path, threads }: DifferingRequests): Record<string, string> {
  return {
    '-- __REQUEST__': filled(requestsTemplate, { __REQUESTS_PATH__: luaString(path), __THREADS__: String(threads) }),
    '-- __EACH_THREAD__': 'begin(thread)',
    '-- __SENT__\n': 'if #threads > 0 then return string.format("%d", askedOfAll()) end\n',
  };
}

/**
 * `ours` around a script of the user's, which may define any function that wrk knows. The case's request stands in `wrk` before
 * it runs. Ours waits and counts first, whatever the user's `setup` and `done` do afterwards; what these print is kept with the raw
 * output alone.
 */
export function wrkUserScript(ours: string, scriptPath: string): string {
  return filled(userScriptTemplate, { '-- __OURS__': ours, __USER_SCRIPT__: luaString(scriptPath) });
}

/** A Lua literal for any bytes, or any text as UTF-8: byte by byte, with everything but plain letters written as a number. */
export function luaString(content: string | Uint8Array): string {
  let literal = '"';
  for (const byte of typeof content === 'string' ? new TextEncoder().encode(content) : content) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    // Three digits always: what follows may be a digit itself.
    literal += plain ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`;
  }
  return `${literal}"`;
}
