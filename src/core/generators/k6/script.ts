import askingScript from '../../../../templates/k6/asking.k6.js';
import askingInTurnScript from '../../../../templates/k6/asking-in-turn.k6.js';
import script from '../../../../templates/k6/script.k6.js';
import { filled } from '../../format/template.ts';
import type { RequestParts } from '../request.ts';
import { countedApart } from './lead-in.ts';
import { literal } from './literal.ts';
import { FAILURE_KINDS, failureMetric } from './metrics.ts';
import type { RequestFile } from './request-file.ts';
import { handleSummary } from './summary-writer.ts';

export const TREND_STATS = [
  'avg',
  'min',
  'med',
  'max',
  'p(50)',
  'p(75)',
  'p(90)',
  'p(95)',
  'p(99)',
  'p(99.9)',
  'count',
];

/** What an outcome is made of. */
export const COUNTED = [
  'http_reqs',
  'http_req_failed',
  'http_req_duration',
  'http_req_connecting',
  'http_req_sending',
  'http_req_waiting',
  'http_req_receiving',
  'data_received',
  'dropped_iterations',
  'checks',
  ...FAILURE_KINDS.map(failureMetric),
];

/** A request, and the status that its answers are to have. */
export interface AskedRequest extends RequestParts {
  expectedStatus: number;
  /** File beside the script with its body, where that is no text. */
  bodyFile: string;
  /** Requests that are sent in its place, where they differ. */
  inTurn?: RequestFile;
}

export interface ScriptParts {
  request: AskedRequest;
  timeoutSeconds: number;
  /** As k6 wants them under `scenarios`. */
  scenarios: Record<string, Record<string, unknown>>;
  keepAlive: boolean;
  /** Of an open model's load, without its lead-in; null for a closed loop. */
  loadSeconds: number | null;
  /** Where the summary goes; absolute. */
  summaryPath: string;
}

/** Settings that our own script and a user's start from. */
export function optionsOf({ scenarios, keepAlive, loadSeconds }: ScriptParts): Record<string, unknown> {
  return {
    ...commonOptions(keepAlive),
    scenarios,
    ...(loadSeconds === null ? {} : { thresholds: countedApart(COUNTED) }),
  };
}

export function commonOptions(keepAlive: boolean): Record<string, unknown> {
  return {
    noConnectionReuse: !keepAlive,
    summaryTrendStats: TREND_STATS,
    // Each tag costs on every sample; nothing here is told apart by any other.
    systemTags: ['scenario'],
  };
}

/** The script of one execution: one request for each iteration. */
export function k6Script(parts: ScriptParts): string {
  const options = { ...optionsOf(parts), discardResponseBodies: true };
  return filled(script, {
    '// __ASKING__\n': `${asking([parts.request])}\n`,
    __ASK__: askExpression(parts.request, parts.timeoutSeconds),
    __OPTIONS__: literal(options),
    '// __SUMMARY__\n': handleSummary(parts.summaryPath, literal({ loadSeconds: parts.loadSeconds })),
  });
}

/**
 * `asking(request)` in JavaScript, which gives what sends it once, for all of these requests. What is expected is decided by k6
 * itself; JavaScript looks closer only at what is not.
 */
export function asking(requests: readonly AskedRequest[]): string {
  const counters = FAILURE_KINDS.map((kind) => `  ${kind}: new Counter('${failureMetric(kind)}'),\n`).join('');
  const statuses = [...new Set(requests.flatMap(({ expectedStatus, inTurn }) => inTurn?.statuses ?? [expectedStatus]))];
  const one = filled(askingScript, {
    __EXPECTED_STATUSES__: literal(statuses),
    '  // __COUNTERS__\n': counters,
  });
  return requests.some(({ inTurn }) => inTurn !== undefined) ? `${one}\n${askingInTurnScript}` : one;
}

/** What sends it, in JavaScript: the body of an answer is thrown away, redirects are not followed. */
export function askExpression(
  { method, url, body, headers, expectedStatus, bodyFile, inTurn }: AskedRequest,
  timeoutSeconds: number,
): string {
  const timeout = `${timeoutSeconds}s`;
  if (inTurn !== undefined) return `askingInTurn(${literal(`./${inTurn.name}`)}, ${literal({ timeout })})`;
  const params = {
    headers: Object.fromEntries(headers),
    timeout,
    redirects: 0,
    responseType: 'none',
  };
  if (body === null || typeof body === 'string')
    return `asking(${literal({ method, url, body, params, expectedStatus })})`;
  const rest = literal({ method, url, params, expectedStatus });
  return `asking(Object.assign(${rest}, { body: open(${literal(`./${bodyFile}`)}, 'b') }))`;
}
