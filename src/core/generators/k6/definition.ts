import { arrivalText, openArrival } from '../arrival.ts';
import { type GeneratorDefinition, type GeneratorOutput, UnreadableOutput } from '../definition.ts';
import { lastWords } from '../excerpt.ts';
import { requireExit } from '../exit.ts';
import type { GeneratorOutcome } from '../outcome.ts';
import { k6DuetInvocation } from './duet/invocation.ts';
import { outcomesOfSummary } from './duet/outcomes.ts';
import { k6Invocation, LOG } from './invocation.ts';
import { duetLeadInSeconds, leadInSeconds } from './lead-in.ts';
import { CLOSED_LOOP, type K6Forms, k6Load } from './load.ts';
import { K6_ARCHIVES, K6_MODULE, K6_VERSION } from './release.ts';
import { parseK6Summary } from './summary.ts';
import { SUMMARY } from './summary-writer.ts';
import { parseK6Text } from './text.ts';

/** 99 is a threshold of the user's own script that was crossed: all has been measured. */
const ACCEPTED = [0, 99];
const HINTS = {
  104: 'its settings are wrong',
  105: 'it was asked to stop',
  107: 'the script threw',
  108: 'the script ended the test',
};

/** Open or closed loop, one virtual user for each connection, latencies without the time to connect. */
export const k6: GeneratorDefinition<K6Forms> = {
  name: 'k6',
  load: k6Load,
  program: {
    // The first with a stable `handleSummary`.
    leastVersion: '1.0',
    packages: {},
    fallback: () => `go install ${K6_MODULE}`,
    release: { version: K6_VERSION, archives: K6_ARCHIVES, goModule: K6_MODULE },
    advice: `\`go install ${K6_MODULE}\`, or as https://grafana.com/docs/k6/latest/set-up/install-k6/ says`,
  },
  latencyMeaning:
    'sending, waiting and receiving (http_req_duration), without connecting; at a given rate k6 sends the next request ' +
    'when its time has come, answered or not (open model)',
  // It takes HTTP/2 only where TLS has agreed on it: https://github.com/grafana/k6/issues/2348
  protocols: ['h1', 'https', 'h2-tls'],
  closesConnections: true,
  requestSets: 'any',
  wholeMilliseconds: false,
  gatesClosedLoop: false,
  countsSent: false,
  // Its virtual users take turns in one event loop each, so that neither side need be busy.
  closedLoopKeepsBusy: false,
  // Its script is told which status is expected.
  countsAsFailed: () => false,
  failedHoldsBadStatus: true,
  opensAllAtOnce: false,
  openedConnections: (_, connections) => connections,
  readsUntilClosed: true,
  asksAsThePass: false,
  arrivalOf: ({ arrival }) => openArrival(arrival),
  closedLoopInKey: CLOSED_LOOP,
  asClosedLoop: (load, seconds) => ({ ...load, arrival: { kind: CLOSED_LOOP }, durationSeconds: seconds }),
  // A turn of its event loop serves many at once in a closed loop: at half of what the loop could send, k6 used 80 to 85 % of its CPU.
  openModelCost: 1.6,
  burstSeconds: 0,
  threadsOf: () => null,
  seconds: {
    // At a fixed rate CPU time per request tells most: of two equal, warm Node.js servers it scattered by 2.1 % in 1 s, 1.5 % in 2 s and
    // 1.3 % in 3 s. What is decided last is the median latency, which scatters by how many requests there are.
    duet: 2.5,
    shortDuet: 1.2,
    shortSolo: 1.2,
    // It compiles its script for each virtual user.
    start: 0.3,
    leadIn: ({ arrival }) => (arrival.kind === CLOSED_LOOP ? 0 : leadInSeconds),
    leadInOfDuet: ({ arrival }) => (arrival.kind === CLOSED_LOOP ? 0 : duetLeadInSeconds),
    load: ({ durationSeconds }) => durationSeconds,
  },
  loadText: ({ arrival, durationSeconds }) => arrivalText(arrival, durationSeconds),
  versionArguments: ['version'],
  versionOf: (text) => /^k6(?:\.exe)? v?(\d\S*)/m.exec(text)?.[1] ?? null,
  invocation: k6Invocation,
  outcome,
  duet: { invocation: k6DuetInvocation, outcomes },
  signature:
    /\bhttp_req(?:s|_duration)\b|TOTAL RESULTS|^[ \t]*execution: (?:local|cloud)|^[ \t]*\{"type":"(?:Metric|Point)",/m,
  parse,
};

function outcome(output: GeneratorOutput): GeneratorOutcome<'k6'> {
  const summary = summaryOf(output);
  return summary === null ? parse(output.stdout) : parseK6Summary(summary);
}

function outcomes(output: GeneratorOutput): [GeneratorOutcome<'k6'>, GeneratorOutcome<'k6'>] {
  const summary = summaryOf(output);
  if (summary === null) throw new UnreadableOutput('k6 came to its end and left no summary of the duet.');
  return outcomesOfSummary(summary);
}

function summaryOf(output: GeneratorOutput): string | null {
  const logged = lastWords(output.files[LOG] ?? '');
  requireExit('k6', { ...output, stderr: logged || output.stderr }, ACCEPTED, HINTS);
  return output.files[SUMMARY] ?? null;
}

/** The end-of-test text, or a summary as JSON. */
function parse(text: string): GeneratorOutcome<'k6'> {
  return text.trimStart().startsWith('{') ? parseK6Summary(text) : parseK6Text(text);
}
