import { isOverTls } from '../../values/protocol.ts';
import type { Invocation, InvocationRequest } from '../definition.ts';
import { bodyFile, loadOfCase, requestParts } from '../request.ts';
import { LEAD_IN, LOAD, leadInSeconds } from './lead-in.ts';
import type { K6CaseLoad } from './load.ts';
import { requestFile } from './request-file.ts';
import { type AskedRequest, k6Script, type ScriptParts, TREND_STATS } from './script.ts';
import { SUMMARY } from './summary-writer.ts';
import { k6TemplateScript, OWN_FOLDER, templateEnvironment } from './template.ts';

export const SCRIPT = 'script.js';
/** k6 writes here what goes wrong in a script; on standard error it would also print a line for each failed request. */
export const LOG = 'k6.log';
const BODY = 'body';
const REQUESTS = 'requests.json';

/** k6 compiles the script once for each virtual user before it begins: some 10 ms each on one core. */
const MARGIN_SECONDS = 15;
const SECONDS_PER_USER = 0.02;

/**
 * With a `rate` an open model, after a lead-in: that many iterations per second whatever the answers take, by as many virtual users as
 * the case has connections; what they cannot send in time k6 counts as dropped. Without one, each user sends its next
 * request when it has its answer.
 */
export function k6Invocation(request: InvocationRequest): Invocation {
  const { connections, keepAlive } = request.case;
  const load = loadOfCase<K6CaseLoad>(request, 'k6');
  const parts: ScriptParts = {
    request: askedRequest(request, BODY, REQUESTS),
    timeoutSeconds: load.timeoutSeconds,
    scenarios: scenarios(request, load.timeoutSeconds),
    loadSeconds: request.rate === null ? null : request.durationSeconds,
    keepAlive,
    summaryPath: `${request.directory}/${SUMMARY}`,
  };
  const { body } = parts.request;
  const { script } = request;
  return {
    ...k6Command(request),
    ...filesWith(
      [parts.request],
      {
        [SCRIPT]: script === null ? k6Script(parts) : k6TemplateScript(parts, `${OWN_FOLDER}/${script}`),
      },
      script !== null,
    ),
    ...(script === null ? {} : { scriptFolders: [OWN_FOLDER] }),
    env: {
      ...k6Environment(request),
      ...(script === null ? {} : templateEnvironment(request, body === null ? null : BODY)),
    },
    timeoutSeconds: longestSeconds(request, connections),
  };
}

/** `bodyName`, `requestsName`: of the files that its body and its requests stand in, where they do not stand in the script. */
export function askedRequest(request: InvocationRequest, bodyName: string, requestsName: string): AskedRequest {
  const inTurn = requestFile(request, requestsName);
  return {
    ...requestParts(request),
    expectedStatus: request.case.endpoint.expect.status,
    bodyFile: bodyName,
    ...(inTurn === undefined ? {} : { inTurn }),
  };
}

/** With what lies beside the script: requests that differ, and bodies that are no text, of a script of the user's every one. */
export function filesWith(
  requests: readonly AskedRequest[],
  own: Record<string, string>,
  isUserScript: boolean,
): Pick<Invocation, 'files' | 'binaryFiles'> {
  const bodies = requests.flatMap(({ body, bodyFile: name }) =>
    isUserScript || (body !== null && typeof body !== 'string') ? [bodyFile(name, body)] : [],
  );
  const sets = requests.flatMap(({ inTurn }) => (inTurn === undefined ? [] : [[inTurn.name, inTurn.content] as const]));
  const binary = Object.assign({}, ...bodies.map(({ binaryFiles }) => binaryFiles));
  return {
    files: Object.assign(own, ...bodies.map(({ files }) => files), Object.fromEntries(sets)),
    ...(Object.keys(binary).length === 0 ? {} : { binaryFiles: binary }),
  };
}

/** How k6 is called, whatever it sends. */
export function k6Command({ case: { keepAlive, service } }: InvocationRequest) {
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
      // As the other generators: who it is has been checked when the service was asked whether it is up.
      ...(isOverTls(service.protocol) ? ['--insecure-skip-tls-verify'] : []),
      SCRIPT,
    ],
    results: [SUMMARY, LOG],
  };
}

export function k6Environment({ cpuCount, case: { service } }: InvocationRequest): Record<string, string> {
  return {
    K6_NO_USAGE_REPORT: 'true',
    // Else k6 asks a service on the net for a binary of its own where a script names an extension.
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
    // Else it speaks HTTP/2 with every server that offers it: https://grafana.com/docs/k6/latest/using-k6/protocols/http-2/
    ...(service.protocol === 'https' ? { GODEBUG: 'http2client=0' } : {}),
    ...goRuntime(cpuCount),
  };
}

export function longestSeconds(request: InvocationRequest, users: number): number {
  const { timeoutSeconds } = loadOfCase<K6CaseLoad>(request, 'k6');
  const ready = MARGIN_SECONDS + users * SECONDS_PER_USER;
  return Math.ceil(leadInSeconds + request.durationSeconds + timeoutSeconds + ready);
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
  if (rate === null) return { [LOAD]: { ...closedLoop(connections), ...common } };
  const open = openLoop(rate, connections);
  const { scenario, durationSeconds: leadIn, pauseSeconds } = LEAD_IN;
  return {
    // They must not overlap, or k6 takes other virtual users, with connections of their own, for the load.
    [scenario]: { ...open, duration: `${leadIn}s`, gracefulStop: `${pauseSeconds * 1000}ms` },
    [LOAD]: { ...open, ...common, startTime: `${leadInSeconds * 1000}ms` },
  };
}

export function closedLoop(connections: number) {
  return { executor: 'constant-vus', vus: connections };
}

export function openLoop(rate: number, connections: number) {
  return {
    executor: 'constant-arrival-rate',
    ...arrivals(rate),
    preAllocatedVUs: connections,
    maxVUs: connections,
  };
}

/** k6 takes whole numbers for a unit of time: 740.7/s is 74,070 in 100 s. */
function arrivals(rate: number) {
  return Number.isInteger(rate) && rate > 0
    ? { rate, timeUnit: '1s' }
    : { rate: Math.max(1, Math.round(rate * 100)), timeUnit: '100s' };
}
