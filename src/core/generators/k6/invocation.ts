import type { Invocation, InvocationRequest } from '../definition.ts';
import { requestParts } from '../request.ts';
import { LEAD_IN, LOAD, leadInSeconds } from './lead-in.ts';
import { k6Script, k6TemplateScript, type ScriptParts, SUMMARY, TEMPLATE, TREND_STATS } from './script.ts';

export const SCRIPT = 'script.js';
/** k6 writes here what goes wrong in a script; on standard error it would also print a line for each failed request. */
export const LOG = 'k6.log';
const BODY = 'body';

/** k6 compiles the script once for each virtual user before it begins: some 10 ms each on one core. */
const MARGIN_SECONDS = 15;
const SECONDS_PER_USER = 0.02;

/**
 * With a `rate` an open model, after a lead-in: that many iterations per second whatever the answers take, by as many virtual users as
 * the case has connections; what they cannot send in time k6 counts as dropped. Without one, each user sends its next
 * request when it has its answer.
 *
 * A script template of the user's finds in `__ENV`:
 *
 *     WRKBENCH_URL              where the request goes           WRKBENCH_RATE         requests per second, or ''
 *     WRKBENCH_METHOD           GET, POST, …                     WRKBENCH_CONNECTIONS  number of virtual users
 *     WRKBENCH_HEADERS          a JSON object                    WRKBENCH_DURATION     as 10s
 *     WRKBENCH_BODY_FILE        for open(), or ''                WRKBENCH_TIMEOUT      as 2s
 *     WRKBENCH_EXPECTED_STATUS  200, …                           WRKBENCH_KEEP_ALIVE   true or false
 */
export function k6Invocation(request: InvocationRequest): Invocation {
  const { load, connections, keepAlive, endpoint } = request.case;
  if (load.generator !== 'k6') throw new TypeError(`${request.case.key} is not a case of k6`);
  const parts: ScriptParts = {
    request: requestParts(request),
    expectedStatus: endpoint.expect.status,
    timeoutSeconds: load.timeoutSeconds,
    scenarios: scenarios(request, load.timeoutSeconds),
    loadSeconds: request.rate === null ? null : request.durationSeconds,
    keepAlive,
    summaryPath: `${request.directory}/${SUMMARY}`,
  };
  const { body } = parts.request;
  const template = request.scriptTemplate;
  return {
    program: 'k6',
    arguments: [
      'run',
      '--quiet',
      '--no-color',
      '--no-usage-report',
      '--no-thresholds',
      // No API port: two at once would want the same one.
      '--address',
      '',
      '--log-output',
      `file=./${LOG},level=error`,
      '--summary-trend-stats',
      TREND_STATS.join(','),
      ...(keepAlive ? [] : ['--no-connection-reuse']),
      SCRIPT,
    ],
    files:
      template === null
        ? { [SCRIPT]: k6Script(parts) }
        : {
            [SCRIPT]: k6TemplateScript(parts),
            [TEMPLATE]: template,
            ...(body === null ? {} : { [BODY]: body }),
          },
    results: [SUMMARY, LOG],
    env: {
      K6_NO_USAGE_REPORT: 'true',
      // Else k6 asks a service on the net for a binary of its own where a script names an extension.
      K6_AUTO_EXTENSION_RESOLUTION: 'false',
      ...goRuntime(request.cpuCount),
      ...(template === null ? {} : templateEnvironment(request, parts)),
    },
    timeoutSeconds: Math.ceil(
      leadInSeconds + request.durationSeconds + load.timeoutSeconds + MARGIN_SECONDS + connections * SECONDS_PER_USER,
    ),
  };
}

/**
 * k6's own pauses end up in its latencies, so it collects garbage only when it has 1 GiB of it, and never waits for its one
 * thread. On one CPU at half of what it can send, p99 against a server that takes 0.2 ms was 10.6 ms with Go's defaults
 * and 5 % of the iterations were dropped; so it was 0.9 ms, and none: https://go.dev/doc/gc-guide#Memory_limit
 */
function goRuntime(cpuCount: number | null): Record<string, string> {
  const threads = cpuCount === 1 ? { GOMAXPROCS: '2' } : {};
  return { GOGC: 'off', GOMEMLIMIT: '1GiB', ...threads };
}

function scenarios({ rate, durationSeconds, case: { connections } }: InvocationRequest, timeoutSeconds: number) {
  const common = { duration: `${durationSeconds}s`, gracefulStop: `${timeoutSeconds}s` };
  if (rate === null) return { [LOAD]: { executor: 'constant-vus', vus: connections, ...common } };
  const open = {
    executor: 'constant-arrival-rate',
    ...arrivals(rate),
    preAllocatedVUs: connections,
    maxVUs: connections,
  };
  const { scenario, durationSeconds: leadIn, pauseSeconds } = LEAD_IN;
  return {
    // They must not overlap, or k6 takes other virtual users, with connections of their own, for the load.
    [scenario]: { ...open, duration: `${leadIn}s`, gracefulStop: `${pauseSeconds * 1000}ms` },
    [LOAD]: { ...open, ...common, startTime: `${leadInSeconds * 1000}ms` },
  };
}

/** k6 takes whole numbers for a unit of time: 740.7/s is 74,070 in 100 s. */
function arrivals(rate: number) {
  return Number.isInteger(rate) && rate > 0
    ? { rate, timeUnit: '1s' }
    : { rate: Math.max(1, Math.round(rate * 100)), timeUnit: '100s' };
}

function templateEnvironment(
  { case: { connections }, rate, durationSeconds, directory }: InvocationRequest,
  parts: ScriptParts,
) {
  const { request, expectedStatus, timeoutSeconds, keepAlive } = parts;
  return {
    WRKBENCH_URL: request.url,
    WRKBENCH_METHOD: request.method,
    WRKBENCH_HEADERS: JSON.stringify(Object.fromEntries(request.headers)),
    WRKBENCH_BODY_FILE: request.body === null ? '' : `${directory}/${BODY}`,
    WRKBENCH_EXPECTED_STATUS: String(expectedStatus),
    WRKBENCH_RATE: rate === null ? '' : String(rate),
    WRKBENCH_CONNECTIONS: String(connections),
    WRKBENCH_DURATION: `${durationSeconds}s`,
    WRKBENCH_TIMEOUT: `${timeoutSeconds}s`,
    WRKBENCH_KEEP_ALIVE: String(keepAlive),
  };
}
