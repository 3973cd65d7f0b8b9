import { closesEach } from '../config/case.ts';
import { counted } from '../format/figures.ts';
import { percent } from '../format/percent.ts';
import { generators } from '../generators/registry.ts';
import type { TrialMeasurement } from '../measurement/measurement.ts';
import { PUBLISHING_ROUND } from '../measurement/names.ts';
import { answeredRequests, errorCount } from '../metrics/throughput.ts';
import type { Evidence } from './evidence.ts';
import { VALIDITY_LIMITS as LIMIT } from './limits.ts';
import { noAnswerSentence } from './no-answer.ts';
import { otherAnswersSentence } from './other-answers.ts';
import { rateAdvice, requestTime, timeoutAdvice } from './settings-advice.ts';
import { loadShares } from './shares.ts';
import { readableAdvice } from './unreadable-body.ts';

/** Codes of what a spec lets pass: a case that has one is valid, and carries the mark. */
export const ERRORS_LET_PASS = 'errors-let-pass';
export const CLOSES_CONNECTIONS = 'closes-connections';
/** Code of a case whose service is too slow for so many connections; close to the border one side alone may be seen beyond it. */
export const LATE_ANSWERS = 'late-answers';

/** A sentence where the rule is broken, else null. */
export type Rule = (evidence: Evidence) => string | null;

const cpuPercent = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
const count = (value: number) => Math.round(value).toLocaleString('en-US');

/** Code → rule, in the order that reasons are shown: the cause before what follows from it. */
export const validityRules: Record<string, Rule> = {
  'generator-failed': ({ trial }) =>
    trial.outcome === null && !trial.timedOut ? (trial.generatorFailure ?? 'the generator left no result') : null,

  'timed-out': ({ trial, case: { generator } }) =>
    trial.timedOut
      ? `${generator} did not end in its time (stopped after ${(trial.durationNs / 1e9).toFixed(1)} s): the service no longer answers, or the duration is too short for the number of requests`
      : null,

  'clock-stepped': ({ trial }) => {
    const own = trial.outcome?.durationSeconds;
    const ours = trial.durationNs / 1e9;
    if (Math.abs(trial.clockStepMs) > LIMIT.clockStepMs) {
      return `the machine's clock was set by ${(trial.clockStepMs / 1000).toFixed(2)} s in the trial, and generators time their requests by it`;
    }
    // Ours holds the generator's start as well, which for k6 with many VUs takes a while; it never is the shorter one.
    if (own !== undefined && (own - ours > 0.5 || ours - own > LIMIT.startSeconds + ours * 0.2)) {
      return `the generator says ${own.toPrecision(4)} s, the machine's monotonic clock ${ours.toFixed(2)} s`;
    }
    return null;
  },

  'no-answer': (evidence) => (evidence.trial.outcome?.requests === 0 ? noAnswerSentence(evidence) : null),

  errors: (evidence) => {
    const { trial } = evidence;
    const requests = trial.outcome?.requests;
    if (requests === undefined || requests === 0) return null;
    const share = errorCount(trial) / requests;
    const most = evidence.case.service.errors?.max ?? LIMIT.errorShare;
    if (share <= most) return null;
    const { timeout: late = 0, read = 0 } = trial.outcome?.errors ?? {};
    const { generator } = evidence.case;
    if (!generators[generator].readsUntilClosed && Math.abs(read - requests) <= requests * LIMIT.readErrorsOfEndings) {
      return `${generator} counted each of ${counted(requests, 'answer')} as a failed request when its connection ended: the body has no length (no Content-Length, not chunked), or the service closes connections without saying so (\`Connection: close\`); ${readableAdvice()}`;
    }
    const advice = late > errorCount(trial) / 2 ? timeoutAdvice(evidence) : '';
    return `${failedRequests(trial, requests, most)}; up to ${limitText(most)} is let pass${advice}${failureWords(trial)}`;
  },

  [LATE_ANSWERS]: (evidence) => {
    const { trial } = evidence;
    const time = requestTime(evidence);
    // Later trials alone are of half a second, of which the beginning, in which nobody is answered, is too large a part.
    if (time === null || trial.round !== PUBLISHING_ROUND) return null;
    const { took, timeoutSeconds } = time;
    // A longer trial shows by itself which answers come late: see `errors`.
    const isTooShortToTell = (trial.outcome?.durationSeconds ?? trial.durationNs / 1e9) < timeoutSeconds;
    return isTooShortToTell && took > LIMIT.lateBeyondTimeout * timeoutSeconds
      ? `most answers would come after the timeout of ${timeoutSeconds} s${timeoutAdvice(evidence)}`
      : null;
  },

  'no-latencies': ({ trial }) =>
    (answeredRequests(trial) ?? 0) > 0 && trial.outcome?.latencyMs?.p50 === undefined
      ? 'requests were answered, yet the generator recorded no latency'
      : null,

  'unexpected-body': (evidence) => {
    const {
      case: { load, connections },
      trial,
      pass,
    } = evidence;
    if (trial.differencesAfter.length > 0) return `after the load: ${trial.differencesAfter.join('; ')}`;
    const requests = trial.outcome?.requests ?? 0;
    const bytes = trial.outcome?.bytes;
    if (pass === null || !pass.constantSize || pass.requests === 0 || requests === 0 || bytes === undefined)
      return null;
    const { tool } = trial.outcome!;
    // A script of the user's may ask anything.
    const asksAlike = generators[tool].asksAsThePass && generators[tool].load.scriptOf(load) === null;
    if (!asksAlike || (trial.outcome!.errors?.status ?? 0) > 0) return null;
    const expected = pass.bytes / pass.requests;
    const got = bytes / requests;
    const slack = Math.max(expected * LIMIT.bytesShare, CONNECTION_HEADER_BYTES);
    const most = expected + slack + (unfinishedAnswers(trial, connections) * expected) / requests;
    return got < expected - slack || got > most ? otherAnswersSentence(evidence, got, expected) : null;
  },

  'generator-bound': (evidence) => {
    const { trial } = evidence;
    const { generator, server } = loadShares(trial);
    if (generator <= LIMIT.generatorBusyShare || server >= LIMIT.serverBusyShare || oneCoreFull(evidence)) return null;
    // The kernel's search for a free port is counted as the generator's.
    if (portsExhausted(evidence)) return null;
    return `${evidence.case.generator} used ${cpuPercent(generator)} of its CPUs while service and database used ${cpuPercent(server)} of theirs: this is the generator's limit, not the service's: give the generator more CPUs (\`placement\`), or the service fewer (\`cpus\`)`;
  },

  'server-idle': ({ trial }) => {
    const answered = answeredRequests(trial) ?? 0;
    if (answered < 1000) return null;
    const us = trial.cpu.serviceNs / 1000 / answered;
    return us < LIMIT.leastCpuPerAnswerUs
      ? `${count(answered)} requests were answered, yet the service's own processes used ${us.toFixed(2)} us of CPU time for each: something else answers than what is measured: see who listens on its port`
      : null;
  },

  'rate-not-held': (evidence) => {
    const { trial } = evidence;
    const { generator } = evidence.case;
    if (trial.rate === null || trial.outcome === null) return null;
    const seconds = trial.outcome.durationSeconds ?? trial.durationNs / 1e9;
    const asked = trial.rate * seconds;
    const dropped = trial.outcome.droppedIterations ?? 0;
    const sent = trial.outcome.requests ?? 0;
    const advice = rateAdvice(evidence, sent / seconds);
    if (dropped > asked * LIMIT.droppedShare) {
      return `${generator} dropped ${count(dropped)} of ${count(asked)} requests at ${count(trial.rate)}/s: neither its connections nor the service can hold that rate${advice}`;
    }
    // Of 2.5 that were asked for, 2 are all that there is time for.
    return sent + 1 < asked * LIMIT.heldRateShare
      ? `${generator} sent ${count(sent / seconds)}/s where ${count(trial.rate)}/s was asked for${advice}`
      : null;
  },

  // Processes of one machine share the kernel's count of connections, and in a duet both sides open theirs: which of them a
  // server closed or kept cannot be told there. Trials alone, which each comparison has of each case, tell it of each side.
  'keep-alive-not-off': ({ trial, case: { keepAlive } }) => {
    const requests = allRequests(trial);
    const accepted = trial.acceptedConnections;
    if (keepAlive || requests === 0 || accepted === null) return null;
    return accepted < requests * LIMIT.connectionsPerRequestOff
      ? `keep-alive was to be off, yet the server accepted ${counted(accepted, 'connection')} for ${counted(requests, 'request')}: it ignores "Connection: close": measure it with keep-alive on alone`
      : null;
  },

  'keep-alive-not-on': ({ trial, case: { keepAlive, connections, service } }) => {
    const requests = allRequests(trial);
    const accepted = trial.acceptedConnections;
    if (!keepAlive || service.keepAlive === 'closes' || requests === 0 || accepted === null) return null;
    const most = connections + Math.max(LIMIT.strayConnections, requests * LIMIT.connectionsPerRequestOn);
    const own = accepted - (trial.databaseConnectionsAmong ?? 0);
    return own > most
      ? `keep-alive was to be on, yet the server accepted ${counted(own, 'connection')} for ${counted(requests, 'request')}: it closes connections that it was asked to keep. Where it is meant to, say so by \`keep-alive: closes\` of the service`
      : null;
  },

  'ports-exhausted': (evidence) => {
    const { timeWait, available } = evidence.trial.ports;
    return portsExhausted(evidence)
      ? `${count(timeWait)} of ${count(available)} local ports wait for their release (TIME_WAIT), and the generator looked for a free one instead of sending: set net.ipv4.tcp_tw_reuse=1, or widen net.ipv4.ip_local_port_range`
      : null;
  },

  'connections-lost': ({ trial, case: testCase }) => {
    const failed = trial.outcome?.errors?.connect ?? 0;
    if (failed > 0 && testCase.service.errors === undefined) {
      return `${counted(failed, 'connection')} could not be opened, and the generator continues without ${failed === 1 ? 'it' : 'them'}`;
    }
    const { load } = testCase;
    const { opensAllAtOnce, openedConnections } = generators[load.generator];
    const opened = openedConnections(load, testCase.connections);
    const accepted = trial.acceptedConnections;
    if (!testCase.keepAlive || !opensAllAtOnce || (trial.outcome?.requests ?? 0) === 0) return null;
    if (accepted === null) return null;
    return accepted < opened * LIMIT.openedShare
      ? `the server accepted ${count(accepted)} of ${counted(opened, 'connection')}: its listen backlog or its limit of open files is too low: raise it, or open fewer`
      : null;
  },
};

/** `Connection: keep-alive` and `Keep-Alive: timeout=5` instead of `Connection: close`, or none of them. */
const CONNECTION_HEADER_BYTES = 64;

/**
 * Answers of which bytes may have been read although no request counts for them: one on each connection is under way when the
 * load ends, and those that came too late or were broken off.
 */
function unfinishedAnswers({ outcome }: TrialMeasurement, connections: number): number {
  const { read = 0, timeout = 0 } = outcome?.errors ?? {};
  return connections + read + timeout;
}

function portsExhausted({ trial, case: testCase }: Evidence): boolean {
  const { timeWait, available } = trial.ports;
  if (!closesEach(testCase) || timeWait < available * LIMIT.portsShare) return false;
  return (trial.outcome?.errors?.connect ?? 0) > 0 || loadShares(trial).generator > LIMIT.generatorBusyShare;
}

/** `4.2 % of 1,000 requests failed (timeout 42)`. A share that rounds to a limit which it is above is `more than` that. */
function failedRequests(trial: TrialMeasurement, requests: number, most: number): string {
  const kinds = Object.entries(trial.outcome?.errors ?? {}).filter(([, number]) => (number ?? 0) > 0);
  const said = kinds.map(([kind, number]) => `${kind} ${count(number ?? 0)}`).join(', ');
  const share = errorCount(trial) / requests;
  const rounded = percent(share);
  const part =
    share > most && Number.parseFloat(rounded.replaceAll(',', '')) <= most * 100
      ? `more than ${limitText(most)}`
      : rounded;
  return `${part} of ${counted(requests, 'request')} failed${said === '' ? '' : ` (${said})`}`;
}

/** In the words of those who failed: a generator only counts. */
function failureWords({ failureWords: { service, database } = {} }: TrialMeasurement): string {
  return [
    service === undefined ? '' : `. The service printed: ${service}`,
    database === undefined ? '' : `. Postgres logged: ${database}`,
  ].join('');
}

/** As a spec has it, with every digit: `0.1 %`, `5 %`. */
export function limitText(share: number): string {
  return `${Number((share * 100).toPrecision(9))} %`;
}

/** What its spec says of a service, and what a trial shows of it: marked, and no reason to leave the case out. */
export const specMarks: Record<string, Rule> = {
  [ERRORS_LET_PASS]: ({ trial, case: { service } }) => {
    const requests = trial.outcome?.requests ?? 0;
    const most = service.errors?.max;
    if (most === undefined || requests === 0 || errorCount(trial) / requests <= LIMIT.errorShare) return null;
    return `${failedRequests(trial, requests, most)}; the spec lets up to ${limitText(most)} pass, and the case is not ranked`;
  },

  [CLOSES_CONNECTIONS]: ({ trial, case: { service, keepAlive } }) => {
    const requests = allRequests(trial);
    const accepted = trial.acceptedConnections;
    if (service.keepAlive !== 'closes' || !keepAlive || requests === 0 || accepted === null) return null;
    const said = `the server accepted ${counted(accepted, 'connection')} for ${counted(requests, 'request')}`;
    return accepted < requests * LIMIT.connectionsPerRequestOff
      ? `the spec says that the service closes each connection, yet ${said}: it keeps some, and \`keep-alive: closes\` may go`
      : `closes connections, as its spec says: ${said}`;
  },
};

function allRequests({ outcome }: TrialMeasurement): number {
  return (outcome?.requests ?? 0) + (outcome?.leadInRequests ?? 0);
}

/**
 * A server of one thread on several CPUs is at its limit with one of them full, which is no idleness. The database
 * counts for itself: a service that waits for it is not what fills the core.
 */
function oneCoreFull({ trial }: Evidence): boolean {
  const cores = trial.cpu.serviceNs / trial.cpu.windowNs;
  return cores > 0.9 && cores < 1.1;
}
