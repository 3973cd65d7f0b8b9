import type { CaseLoad } from '../../config/case.ts';
import { counted } from '../../format/figures.ts';
import type { GeneratorOutcome } from '../../measurement/outcome.ts';
import type { GeneratorDefinition, GeneratorOutput } from '../definition.ts';
import { requireExit } from '../exit.ts';
import { abInvocation, PERCENTILES } from './invocation.ts';
import { parseAbText } from './output.ts';
import { parseAbPercentiles } from './percentiles.ts';

/** It runs for a number of requests, not for a time: so many are taken for granted. */
const REQUESTS_PER_SECOND = 5000;

/** Closed loop over HTTP/1.0, a number of requests instead of a duration, latencies with the time to connect. */
export const ab: GeneratorDefinition<Extract<CaseLoad, { generator: 'ab' }>> = {
  name: 'ab',
  program: {
    // It has printed the same since, which is what httpd 2.4 calls it.
    leastVersion: '2.3',
    packages: { 'apt-get': 'apache2-utils', dnf: 'httpd-tools', apk: 'apache2-utils', brew: 'httpd' },
    otherwise: () => null,
    advice: '`sudo apt-get install apache2-utils` (macOS brings it along)',
  },
  latencyMeaning:
    'from the start of connecting to the last byte of the answer (Total); the next request is sent when the last is answered (closed loop)',
  wholeMilliseconds: true,
  gatesClosedLoop: false,
  opensAllAtOnce: false,
  openedConnections: (_, connections) => connections,
  // It reads `Connection: close` answers of HTTP/1.0, whose headers differ in length.
  asksAsThePass: false,
  arrivalOf: () => null,
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
  parse: parseAbText,
};

/** The text, with the percentiles of its table replaced by finer ones where ab wrote them. */
function outcome(output: GeneratorOutput): GeneratorOutcome {
  requireExit('ab', output, [0]);
  const printed = parseAbText(output.stdout);
  const finer = parseAbPercentiles(output.files[PERCENTILES] ?? '', printed.requests ?? 0);
  return printed.latencyMs === undefined ? printed : { ...printed, latencyMs: { ...printed.latencyMs, ...finer } };
}
