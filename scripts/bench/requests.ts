import { createGeneratorRunner } from '../../src/adapters/generators/runner.ts';
import { type AskedEndpoint, askedEndpoint } from '../../src/core/config/asked-endpoint.ts';
import { type Case, casesOf } from '../../src/core/config/case.ts';
import { readSpec } from '../../src/core/config/read.ts';
import { seededRandom, shuffled } from '../../src/core/statistics/random.ts';
import { startedNginx } from './nginx.ts';
import { ratioInterval } from './ratio-interval.ts';
import { atMost, type BenchResult, rounded } from './target.ts';

const PORT = 18_098;
const SERVER_CPU = '0';
const GENERATOR_CPU = '1';
const CONNECTIONS = 50;
const SECONDS = 2;
const ROUNDS = 8;
/** How many different URLs are asked for. */
const COUNTS = [1, 1000, 100_000] as const;

const SPEC = `
name: requests
services: {nginx: {command: [nginx], port: ${PORT}}}
endpoints: {articles: /articles}
load: {wrk: {threads: 1, connections: ${CONNECTIONS}, keep-alive: on}}
`;

interface Measured {
  perSecond: number;
  /** CPU time of wrk for each request. */
  cpuUs: number;
}

/**
 * What it costs wrk to send requests that differ: one URL, 1,000 and 100,000 of one nginx, which answers all of them alike, in turn and
 * in another order each round; one URL over and over needs no Lua. Held against each other is the CPU time of wrk, since how much is
 * answered is also a matter of what else runs on the machine.
 */
export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  const [one] = casesOf(readSpec(SPEC, 'requests.yml'));
  const endpoints = new Map<number, AskedEndpoint>();
  for (const count of COUNTS) endpoints.set(count, await endpointWith(one!.endpoint, count));
  const found = new Map<number, Measured[]>(COUNTS.map((count) => [count, []]));
  const stop = await startedNginx(PORT, SERVER_CPU);
  const random = seededRandom(1);
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const count of shuffled(COUNTS, random)) {
        const measured = await measuredOf({ ...one!, endpoint: endpoints.get(count)! });
        // The first round warms up.
        if (round > 0) found.get(count)!.push(measured);
      }
      if (round > 0)
        say(`round ${round}: ${COUNTS.map((count) => lineOf(count, found.get(count)!.at(-1)!)).join('; ')}`);
    }
  } finally {
    await stop();
  }
  const figures: BenchResult['figures'] = {};
  for (const count of COUNTS) {
    figures[`${urls(count)}: requests per second`] = Math.round(meanOf(found.get(count)!, 'perSecond'));
    figures[`${urls(count)}: us of CPU time of wrk per request`] = rounded(meanOf(found.get(count)!, 'cpuUs'));
  }
  const targets = ([1000, 100_000] as const).map((count) => {
    const what = `${urls(count)} / 1 URL`;
    const answered = ratioOf(found.get(count)!, found.get(1)!, 'perSecond');
    const { ratio, low, high } = ratioOf(found.get(count)!, found.get(1)!, 'cpuUs');
    figures[`${what}: requests per second, ratio`] = rounded(answered.ratio);
    figures[`${what}: requests per second, 95 % interval`] = `${rounded(answered.low)} … ${rounded(answered.high)}`;
    figures[`${what}: CPU time of wrk per request, 95 % interval`] = `${rounded(low)} … ${rounded(high)}`;
    return atMost(`CPU time of wrk per request, ${what}`, rounded(ratio), MOST_RATIO[count]);
  });
  return { figures, targets };
}

/** Of 100,000 most are made into strings of Lua for the first time. */
const MOST_RATIO = { 1000: 1.1, 100000: 1.3 };

function endpointWith(endpoint: AskedEndpoint, count: number): Promise<AskedEndpoint> {
  const slug = Array.from({ length: count }, (_, id) => `an-article-of-some-length-${id}`);
  const differing = count === 1 ? { path: `/articles/${slug[0]}` } : { path: '/articles/{slug}', values: { slug } };
  const none = () => Promise.reject(new Error('nothing is read here'));
  return askedEndpoint({ ...endpoint, ...differing }, { endpoints: [], file: none, rows: none });
}

const runner = createGeneratorRunner({ specDirectory: '/' });

async function measuredOf(testCase: Case): Promise<Measured> {
  const { outcome, failure, cpuNs } = await runner.run(
    {
      case: testCase,
      origin: `http://127.0.0.1:${PORT}`,
      durationSeconds: SECONDS,
      rate: null,
      cpus: GENERATOR_CPU,
    },
    new AbortController().signal,
  );
  const { requests = 0, throughput } = outcome ?? {};
  if (throughput === undefined || requests === 0) throw new Error(failure ?? 'wrk had no answer');
  return { perSecond: throughput, cpuUs: cpuNs / 1000 / requests };
}

const urls = (count: number) => (count === 1 ? '1 URL' : `${count.toLocaleString('en')} URLs`);
const lineOf = (count: number, { perSecond, cpuUs }: Measured) =>
  `${urls(count)} ${Math.round(perSecond)}/s at ${cpuUs.toFixed(2)} us`;

function meanOf(measured: readonly Measured[], key: keyof Measured): number {
  return measured.reduce((sum, each) => sum + each[key], 0) / measured.length;
}

function ratioOf(differing: readonly Measured[], one: readonly Measured[], key: keyof Measured) {
  return ratioInterval(
    differing.map((each, round) => ({ numerator: each[key], denominator: one[round]![key] })),
    0.95,
  )!;
}
