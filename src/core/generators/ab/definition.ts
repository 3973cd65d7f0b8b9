import { counted } from '../../format/figures.ts';
import type { GeneratorDefinition, GeneratorOutput } from '../definition.ts';
import { requireExit } from '../exit.ts';
import { percentileKey, positive } from '../figures.ts';
import type { GeneratorOutcome, LatencyMs } from '../outcome.ts';
import { abInvocation, PERCENTILES } from './invocation.ts';
import { type AbForms, abLoad } from './load.ts';
import { parseAbText } from './output.ts';

/** It runs for a number of requests, not for a time: so many are taken for granted. */
const REQUESTS_PER_SECOND = 5000;

/** Closed loop over HTTP/1.0, a number of requests instead of a duration, latencies with the time to connect. */
export const ab: GeneratorDefinition<AbForms> = {
  name: 'ab',
  load: abLoad,
  program: {
    // It has printed the same since, which is what httpd 2.4 calls it.
    leastVersion: '2.3',
    packages: { 'apt-get': 'apache2-utils', dnf: 'httpd-tools', apk: 'apache2-utils', brew: 'httpd' },
    fallback: () => null,
    release: null,
    advice: '`sudo apt-get install apache2-utils` (macOS brings it along)',
  },
  latencyMeaning:
    'from the start of connecting to the last byte of the answer (Total); the next request is sent when the last is answered (closed loop)',
  protocols: ['h1', 'https'],
  closesConnections: true,
  // It asks for one URL.
  requestSets: 'none',
  wholeMilliseconds: true,
  gatesClosedLoop: false,
  countsSent: false,
  closedLoopKeepsBusy: true,
  countsAsFailed: (status) => status < 200 || status >= 300,
  failedHoldsBadStatus: false,
  opensAllAtOnce: false,
  openedConnections: (_, connections) => connections,
  readsUntilClosed: true,
  // It reads `Connection: close` answers of HTTP/1.0, whose headers differ in length.
  asksAsThePass: false,
  arrivalOf: () => null,
  closedLoopInKey: null,
  asClosedLoop: () => null,
  openModelCost: 1,
  burstSeconds: 0,
  threadsOf: () => null,
  seconds: {
    duet: 0,
    shortDuet: 0,
    shortSolo: 0,
    start: 0.1,
    leadIn: () => 0,
    leadInOfDuet: () => 0,
    load: ({ requests }) => requests / REQUESTS_PER_SECOND,
  },
  loadText: ({ requests }) => counted(requests, 'request'),
  versionArguments: ['-V'],
  versionOf: (text) => /^This is ApacheBench, Version (\S+)/m.exec(text)?.[1] ?? null,
  invocation: abInvocation,
  outcome,
  signature:
    /^This is ApacheBench\b|^Benchmarking \S+ .*\(be patient\)|^Complete requests:|^Test aborted after \d+ failures|^apr_[a-z_]+(?:\(\))?: /m,
  parse: parseAbText,
};

/** The text, with the percentiles of its table replaced by finer ones where ab wrote them. */
function outcome(output: GeneratorOutput): GeneratorOutcome<'ab'> {
  requireExit('ab', output, [0]);
  const printed = parseAbText(output.stdout);
  const finer = parseAbPercentiles(output.files[PERCENTILES] ?? '', printed.requests ?? 0);
  return printed.latencyMs === undefined ? printed : { ...printed, latencyMs: { ...printed.latencyMs, ...finer } };
}

const SHOWN = [50, 75, 90, 95, 99];

/**
 * What ab's `-e` wrote: `Percentage served,Time in ms`, in thousandths of a millisecond where its text has whole ones.
 *
 * ab reads row p from place ⌊0.5 + requests × p ÷ 100⌋ of its sorted list, which for p = 99 and up to 50 requests lies
 * behind the end and gives whatever stands in memory there (`99,3328493621662206.000`). Such rows are left out.
 */
export function parseAbPercentiles(csv: string, requests: number): LatencyMs {
  const latency: LatencyMs = {};
  for (const [, percentile = '', value] of csv.matchAll(/^(\d{1,2}),(\d+\.\d{3})\r?\n/gm)) {
    const ms = positive(value);
    const place = Math.floor(0.5 + (requests * Number(percentile)) / 100);
    if (ms === undefined || place >= requests) continue;
    if (percentile === '0') latency.min = ms;
    if (SHOWN.includes(Number(percentile))) latency[percentileKey(percentile)] = ms;
  }
  return latency;
}
