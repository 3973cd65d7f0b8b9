import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { median } from '../../src/core/statistics/quantile.ts';
import { firstOutputMs, recordOfRun } from './command.ts';
import { generatorsSideBySide } from './generators.ts';
import { type HandLoad, throughputByHand } from './hand.ts';
import { ratioInterval } from './ratio-interval.ts';
import { atLeast, atMost, type BenchResult, rounded, type Target } from './target.ts';

const LOAD = { seconds: 5, warmUpSeconds: 2, threads: 2, connections: 64 };
const PUBLISHED_ROUNDS = 5;
const LEAST_ROUNDS = 8;
const MOST_ROUNDS = 60;
/** The alternation ends where the 95 % interval of the ratio is narrower than this, either way. */
const HALF_WIDTH = 0.02;

/** What the product costs beside a person who calls wrk, all in one run and side by side. */
export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  const parts = [await startUp(say), sizes(), await generatorsSideBySide(say), throughput(say), wholeMatrix(say)];
  return {
    figures: Object.assign({}, ...parts.map(({ figures }) => figures)),
    targets: parts.flatMap(({ targets }) => targets),
  };
}

async function startUp(say: (line: string) => void): Promise<BenchResult> {
  const times: number[] = [];
  for (let i = 0; i < 21; i += 1) times.push(await firstOutputMs('--help'));
  const ms = rounded(median(times));
  say(`first output after ${ms} ms (median of ${times.length})`);
  return { figures: { firstOutputMs: ms }, targets: [atMost('first output of the command, ms', ms, 200)] };
}

function sizes(): BenchResult {
  const files = readdirSync('dist').filter((name) => name.endsWith('.cjs'));
  const bytes = Object.fromEntries(files.map((name) => [`bytes ${name}`, statSync(path.join('dist', name)).size]));
  const targets: Target[] = Object.entries(bytes).map(([name, size]) => atMost(name, size, 2 * 1024 * 1024));
  return { figures: bytes, targets };
}

function throughput(say: (line: string) => void): BenchResult {
  const pairs: { numerator: number; denominator: number }[] = [];
  const published: typeof pairs = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const record = recordOfRun(ONE_CASE);
    const through = record.cases[0]?.metrics.throughput?.value ?? Number.NaN;
    const { service, generator } = record.environment.placement;
    const load: HandLoad = { ...LOAD, serverCpus: service, generatorCpus: generator };
    const byHand = throughputByHand(load, 'container');
    pairs.push({ numerator: through, denominator: byHand });
    if (round < PUBLISHED_ROUNDS) {
      published.push({ numerator: throughputByHand(load, 'published'), denominator: byHand });
    }
    const interval = ratioInterval(pairs, 0.95);
    say(
      `round ${round + 1}: by hand ${Math.round(byHand)}/s, through run ${Math.round(through)}/s` +
        (interval === null
          ? ''
          : `, ratio ${interval.ratio.toFixed(4)} (${interval.low.toFixed(4)} … ${interval.high.toFixed(4)})`),
    );
    if (round + 1 >= LEAST_ROUNDS && interval !== null && halfWidth(interval) < HALF_WIDTH) break;
  }
  const interval = ratioInterval(pairs, 0.95)!;
  const comparedMetric = ratioInterval(published, 0.95)!;
  return {
    figures: {
      rounds: pairs.length,
      throughputRatio: rounded(interval.ratio),
      throughputRatioLow: rounded(interval.low),
      throughputRatioHigh: rounded(interval.high),
      publishedPortRatio: rounded(comparedMetric.ratio),
    },
    targets: [
      atMost('half width of the 95 % interval of the throughput ratio', rounded(halfWidth(interval)), HALF_WIDTH),
      atLeast('throughput through run / by hand, upper bound', rounded(interval.high), 0.98),
    ],
  };
}

const halfWidth = ({ ratio, low, high }: { ratio: number; low: number; high: number }) =>
  Math.max(high / ratio - 1, 1 - low / ratio);

function wholeMatrix(say: (line: string) => void): BenchResult {
  say('standard matrix, 4 endpoints with Postgres: about 5 minutes');
  const record = recordOfRun(STANDARD_MATRIX);
  const { wallSeconds, loadSeconds } = record.timing;
  const ratio = rounded(wallSeconds / loadSeconds);
  const own = median(record.cases.flatMap(({ utilisation }) => (utilisation === null ? [] : [utilisation.own])));
  say(`${record.cases.length} cases, ${wallSeconds.toFixed(1)} s for ${loadSeconds.toFixed(1)} s of load`);
  return {
    figures: { wallSeconds: rounded(wallSeconds), loadSeconds: rounded(loadSeconds), samplerCoreShare: rounded(own) },
    targets: [
      atMost('wall clock / load seconds of a standard matrix', ratio, 1.15),
      atMost('CPU of the sampler, share of a core', rounded(own), 0.01),
    ],
  };
}

const ONE_CASE = `
name: one-case
services:
  go: {image: "wrkbench-fixture/misbehaving:latest", port: 8080, ready: {path: /ping}}
endpoints:
  ping: {path: /ping, expect: {json: {ok: true}}}
load:
  wrk: {threads: ${LOAD.threads}, connections: [${LOAD.connections}], keep-alive: on, duration: ${LOAD.seconds}s}
  warm-up: ${LOAD.warmUpSeconds}s
`;

const STANDARD_MATRIX = `
name: standard-matrix
services:
  node:
    image: wrkbench-fixture/rest-node:latest
    port: 8080
    env: {DATABASE_URL: "\${database.url}"}
    ready: {path: /ping}
database:
  image: wrkbench-fixture/postgres:15
  settings: {fsync: "off", synchronous_commit: "off", shared_buffers: 256MB}
endpoints:
  ping: {path: /ping}
  time: {path: /time}
  db-ping: {path: /db/ping}
  db-time: {path: /db/time}
load: {preset: standard}
`;
