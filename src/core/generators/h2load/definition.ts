import { counted } from '../../format/figures.ts';
import { arrivalText, openArrival } from '../arrival.ts';
import { type GeneratorDefinition, type GeneratorOutput, UnreadableOutput } from '../definition.ts';
import { requireExit } from '../exit.ts';
import type { GeneratorOutcome } from '../outcome.ts';
import { h2loadInvocation, LOG } from './invocation.ts';
import { CLOSED_LOOP, type H2loadForms, h2loadLoad } from './load.ts';
import { parseH2loadText } from './output.ts';
import { latenciesOfLog } from './request-log.ts';

/** HTTP/1.1 and HTTP/2, at a rate in bursts or in a closed loop; connections are kept. */
export const h2load: GeneratorDefinition<H2loadForms> = {
  name: 'h2load',
  load: h2loadLoad,
  program: {
    // The first that can be told a rate.
    leastVersion: '1.44',
    packages: { 'apt-get': 'nghttp2-client', dnf: 'nghttp2', apk: 'nghttp2', brew: 'nghttp2' },
    fallback: () => null,
    release: null,
    advice: '`sudo apt-get install nghttp2-client` (macOS: `brew install nghttp2`)',
  },
  latencyMeaning:
    'from handing a request over for sending to the last byte of its answer, without connecting; at a given rate h2load ' +
    'wakes all connections at the same moment, so that a request also waits for the others of its burst, and one that is ' +
    'due while its connection still waits for an answer is sent late, which its latency does not show',
  protocols: ['h1', 'h2', 'https', 'h2-tls'],
  // With keep-alive off, h2load 1.52 never comes to its end: https://github.com/nghttp2/nghttp2/commit/b9af7736
  closesConnections: false,
  // -i takes addresses alone, which every connection walks from the first on.
  requestSets: 'urls',
  wholeMilliseconds: false,
  // In 33 duets of two equal Go servers its throughput scattered by 6.7 %, that of wrk by 6.4 %.
  gatesClosedLoop: true,
  countsSent: false,
  closedLoopKeepsBusy: true,
  countsAsFailed: (status) => status >= 400,
  failedHoldsBadStatus: true,
  opensAllAtOnce: true,
  openedConnections: (_, connections) => connections,
  // It sends one request per connection then, and counts none.
  readsUntilClosed: false,
  // It names itself in a header that some servers answer in kind.
  asksAsThePass: false,
  arrivalOf: ({ arrival }) => openArrival(arrival),
  closedLoopInKey: CLOSED_LOOP,
  asClosedLoop: (load, seconds) => ({ ...load, arrival: { kind: CLOSED_LOOP }, durationSeconds: seconds }),
  // 6.4 us at 40,000/s and 6.7 us at 20,000/s, 5.7 us in its closed loop: `npm run bench:overhead`.
  openModelCost: 1.2,
  burstSeconds: 0.01,
  threadsOf: ({ threads }) => threads,
  seconds: {
    // As with k6: CPU time per request at a fixed rate is told by longer trials.
    duet: 3,
    shortDuet: 1.2,
    shortSolo: 1.2,
    start: 0.1,
    leadIn: () => 0,
    leadInOfDuet: () => 0,
    load: ({ durationSeconds }) => durationSeconds,
  },
  loadText: ({ arrival, threads, streams, durationSeconds }) =>
    [
      counted(threads, 'thread'),
      ...(streams === 1 ? [] : [`${streams} streams per connection`]),
      arrivalText(arrival, durationSeconds),
    ].join(', '),
  versionArguments: ['--version'],
  versionOf: (text) => /^h2load nghttp2\/(\S+)/m.exec(text)?.[1] ?? null,
  invocation: h2loadInvocation,
  outcome,
  signature: /^starting benchmark\.\.\.|^spawning thread #\d|^finished in \S+, \S+ req\/s/m,
  parse: parseH2loadText,
};

/** The text, with latencies from the log, which alone has percentiles before 1.69. */
function outcome(output: GeneratorOutput): GeneratorOutcome<'h2load'> {
  requireExit('h2load', output, [0]);
  const printed = parseH2loadText(output.stdout);
  const { requests = 0, failedRequests = 0 } = printed;
  // h2load says 0 to all of it where nobody listens.
  if (requests === 0 && failedRequests === 0) {
    throw new UnreadableOutput(
      'h2load had no answer to any request, and gives no reason: nothing listens there, the server does not speak the protocol that the spec names, or (HEAD over HTTP/1.1, which h2load cannot read) the answer has no body where one was announced.',
    );
  }
  const latencyMs = latenciesOfLog(output.files[LOG] ?? '', requests);
  return latencyMs === undefined ? printed : { ...printed, latencyMs };
}
