import type { RequestParts } from '../request.ts';
import { countedApart } from './lead-in.ts';
import { literal } from './literal.ts';
import { FAILURE_KINDS, failureMetric } from './metrics.ts';
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

export interface ScriptParts {
  request: RequestParts;
  expectedStatus: number;
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
  return `${asking(parts)}
const url = ${literal(parts.request.url)};

export const options = ${literal(options)};

export default function () {
  ask(url);
}
${handleSummary(parts.summaryPath, { loadSeconds: parts.loadSeconds })}`;
}

/**
 * `ask(url)` in JavaScript: one request, its body thrown away, redirects not followed. What is expected is decided by k6
 * itself; JavaScript looks closer only at what is not.
 */
export function asking({
  request,
  expectedStatus,
  timeoutSeconds,
}: Pick<ScriptParts, 'request' | 'expectedStatus' | 'timeoutSeconds'>): string {
  const params = {
    headers: Object.fromEntries(request.headers),
    timeout: `${timeoutSeconds}s`,
    redirects: 0,
    responseType: 'none',
  };
  const counters = FAILURE_KINDS.map((kind) => `  ${kind}: new Counter('${failureMetric(kind)}'),\n`).join('');
  return `import http from 'k6/http';
import { Counter } from 'k6/metrics';

const method = ${literal(request.method)};
const body = ${literal(request.body)};
const params = ${literal(params)};
const expectedStatus = ${expectedStatus};
const failures = {
${counters}};

http.setResponseCallback(http.expectedStatuses(expectedStatus));

function ask(url) {
  const response = http.request(method, url, body, params);
  if (response.status !== expectedStatus || isCutOff(response)) failures[kindOf(response)].add(1);
}

// 1400 to 1599 only repeat a status from 400 up, also one that is expected.
function isCutOff({ error_code: code }) {
  return code !== 0 && (code < 1400 || code >= 1600);
}

// https://grafana.com/docs/k6/latest/javascript-api/error-codes/
function kindOf({ status, error_code: code }) {
  if (code === 1050) return 'timeout';
  if ((code >= 1100 && code < 1200) || (code >= 1210 && code < 1220)) return 'connect';
  if (code === 1201) return 'write';
  return status === 0 || status === expectedStatus ? 'read' : 'status';
}
`;
}
