import { counted } from '../../format/figures.ts';
import { type GeneratorDefinition, type GeneratorOutput, UnreadableOutput } from '../definition.ts';
import { requireExit } from '../exit.ts';
import { present } from '../figures.ts';
import type { GeneratorOutcome } from '../outcome.ts';
import { RESULT, wrkInvocation } from './invocation.ts';
import { type WrkForms, wrkLoad } from './load.ts';
import { parseWrkText } from './output.ts';
import { parseWrkResult } from './result.ts';

/** Closed loop, keep-alive as the case says, latencies corrected for coordinated omission by wrk itself. */
export const wrk: GeneratorDefinition<WrkForms> = {
  name: 'wrk',
  load: wrkLoad,
  program: {
    // The first that hands its results to a Lua `done`.
    leastVersion: '4.0',
    packages: { 'apt-get': 'wrk', apk: 'wrk', brew: 'wrk' },
    fallback: (asRoot) =>
      `git clone --depth 1 https://github.com/wg/wrk && make -C wrk && ${asRoot('install wrk/wrk /usr/local/bin/')}`,
    release: null,
    advice: '`sudo apt-get install wrk` (macOS: `brew install wrk`)',
  },
  latencyMeaning:
    'from the first byte of a request written to the last byte of its answer read, without connecting; wrk sends the ' +
    'next request when the last is answered (closed loop), and its figures include its own correction for ' +
    'coordinated omission',
  protocols: ['h1', 'https'],
  closesConnections: true,
  requestSets: 'any',
  wholeMilliseconds: false,
  gatesClosedLoop: true,
  countsSent: true,
  closedLoopKeepsBusy: true,
  // It tells how many there were, and not of which status.
  countsAsFailed: (status) => status >= 400,
  failedHoldsBadStatus: false,
  opensAllAtOnce: true,
  // As many for each thread as go in evenly.
  openedConnections: ({ threads }, connections) => threads * Math.floor(connections / threads),
  readsUntilClosed: false,
  asksAsThePass: true,
  arrivalOf: () => null,
  closedLoopInKey: null,
  asClosedLoop: () => null,
  openModelCost: 1,
  burstSeconds: 0,
  threadsOf: ({ threads }) => threads,
  seconds: {
    duet: 0.5,
    shortDuet: 0.5,
    shortSolo: 0.6,
    start: 0.1,
    leadIn: () => 0,
    leadInOfDuet: () => 0,
    load: ({ durationSeconds }) => durationSeconds,
  },
  loadText: ({ threads, durationSeconds }) => `${counted(threads, 'thread')}, ${durationSeconds} s`,
  // wrk prints its version and then its usage, and exits with 1.
  versionArguments: ['-v'],
  versionOf: (text) => /^wrk (?:[a-z]+\/)?(\S+)/m.exec(text)?.[1] ?? null,
  invocation: wrkInvocation,
  outcome,
  signature: /^Running \S+ test @ |^[ \t]*Thread Stats[ \t]+Avg\b|^[ \t]*\d+ requests in \S+, \S+ read/m,
  parse: parseWrkText,
};

/** The script's figures are exact; from the text comes what only stands there. One of the two is enough. */
function outcome(output: GeneratorOutput): GeneratorOutcome<'wrk'> {
  requireExit('wrk', output, [0]);
  const exact = readable(() => parseWrkResult(output.files[RESULT] ?? ''));
  if (exact === null) return parseWrkText(output.stdout);
  const text = readable(() => parseWrkText(output.stdout));
  const { threads, connections, threadThroughput } = text ?? {};
  return { ...exact, ...present({ threads, connections, threadThroughput }) };
}

function readable(parse: () => GeneratorOutcome<'wrk'>): GeneratorOutcome<'wrk'> | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof UnreadableOutput) return null;
    throw error;
  }
}
