import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { atMost, type BenchResult } from '../scripts/bench/target.ts';
import { readCpuModel } from '../src/adapters/machine/cpu.ts';
import { mean } from '../src/core/statistics/moderated-variance.ts';
import { withoutShares } from './verdict/live/injection.ts';
import { SERVERS } from './verdict/live/kinds.ts';

/** Where a run on two cores puts its servers, and its generators. */
const [SERVER_CPU, GENERATOR_CPU] = ['0', '1'];
const PATH = '/ping';
const SECONDS = 1;
/** Of each server: together some 60 % of what one core of this server answers. */
const FIXED_RATE = 6000;

/** Requests that were answered, by the generator's own text. */
interface Load {
  name: string;
  program: string;
  arguments: string[];
  answered: RegExp;
}

const wrk = (connections: number, close: boolean): Load => ({
  name: `wrk, ${connections} connections, keep-alive ${close ? 'off' : 'on'}`,
  program: 'wrk',
  arguments: ['-t4', `-c${connections}`, `-d${SECONDS}s`, ...(close ? ['-H', 'Connection: close'] : [])],
  answered: /^ +(\d+) requests in /m,
});

const LOADS: readonly Load[] = [
  wrk(100, false),
  wrk(1000, false),
  wrk(100, true),
  wrk(1000, true),
  {
    name: `h2load, 50 connections, ${FIXED_RATE}/s`,
    program: 'h2load',
    arguments: ['--h1', '-t1', '-c50', `-D${SECONDS}`, `--rps=${FIXED_RATE / 50}`],
    answered: /^requests: .* (\d+) succeeded/m,
  },
];

interface Side {
  url: string;
  cpuUs(): number;
  remove(): void;
}

/**
 * What a live comparison injects into the Node.js server, counted without the product: CPU time by the scheduler's statistics of the
 * server's threads, requests by the generator's own text, a server with `BURN_US=/ping=US` or `BURN_SHARE=/ping=SHARE` and one without it
 * loaded side by side, anew for each pair. `--us 2` or `--share 0.06` is what is burnt, `--pairs 50` how many.
 */
export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    strict: false,
    options: {
      us: { type: 'string', default: '0' },
      share: { type: 'string', default: '0' },
      pairs: { type: 'string', default: '20' },
    },
  });
  const [us, share, pairs] = [Number(values.us), Number(values.share), Number(values.pairs)];
  const environment = {
    ...(us === 0 ? {} : { BURN_US: `${PATH}=${us}` }),
    ...(share === 0 ? {} : { BURN_SHARE: `${PATH}=${share}` }),
  };
  const found = new Map<string, { plain: number; burning: number }[]>(LOADS.map(({ name }) => [name, []]));
  for (let pair = 0; pair < pairs; pair += 1) {
    const environments = [withoutShares(environment), environment];
    // What starts first is the one and the other in turn.
    const sides = pair % 2 === 0 ? environments.map(started) : environments.toReversed().map(started).toReversed();
    try {
      await Promise.all(sides.map(({ url }) => answers(url)));
      // To warm up.
      await Promise.all(sides.map((side) => costUs(side, LOADS[0]!)));
      for (const load of LOADS) {
        const [plain, burning] = await Promise.all(sides.map((side) => costUs(side, load)));
        found.get(load.name)!.push({ plain: plain!, burning: burning! });
      }
    } finally {
      for (const side of sides) side.remove();
    }
    say(`pair ${pair + 1} of ${pairs}`);
  }
  return {
    figures: {
      'CPU model': await readCpuModel(),
      'burnt, us': us,
      'burnt, share': share,
      ...Object.fromEntries([...found].map(([name, costs]) => [name, told(costs)])),
    },
    targets: [atMost('loads without a figure', [...found.values()].filter((costs) => costs.length === 0).length, 0)],
  };
}

function started(environment: Record<string, string>): Side {
  const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const placed = ['--cpuset-cpus', SERVER_CPU!];
  const id = docker('run', '--detach', '--rm', ...placed, ...variables, SERVERS.standard.image);
  const pid = docker('inspect', '--format', '{{.State.Pid}}', id);
  const address = docker('inspect', '--format', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', id);
  return {
    url: `http://${address}:8080${PATH}`,
    cpuUs: () =>
      readdirSync(`/proc/${pid}/task`)
        .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1000)
        .reduce((sum, each) => sum + each, 0),
    remove: () => docker('rm', '--force', id),
  };
}

function docker(...args: string[]): string {
  return execFileSync('docker', args, { encoding: 'utf8' }).trim();
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await sleep(50);
  }
  throw new Error(`${url} does not answer.`);
}

/** Microseconds of the server's CPU time for each request. */
async function costUs(side: Side, { program, arguments: given, answered }: Load): Promise<number> {
  const before = side.cpuUs();
  const child = spawn('taskset', ['-c', GENERATOR_CPU!, program, ...given, side.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  await new Promise((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  const requests = Number(answered.exec(text)?.[1]);
  if (!(requests > 0)) throw new Error(`${program} answered no request:\n${text}`);
  return (side.cpuUs() - before) / requests;
}

/** `24.31 us alone, 1.63 ± 0.12 us more, 6.7 ± 0.5 %`: with standard errors, of the logarithm for the share. */
function told(costs: readonly { plain: number; burning: number }[]): string {
  const more = costs.map(({ plain, burning }) => burning - plain);
  const share = costs.map(({ plain, burning }) => Math.log(burning / plain));
  const plain = mean(costs.map((each) => each.plain));
  return `${plain.toFixed(2)} us, ${mean(more).toFixed(2)} ± ${errorOf(more).toFixed(2)} us more, ${(100 * Math.expm1(mean(share))).toFixed(1)} ± ${(100 * errorOf(share)).toFixed(1)} %`;
}

/** Standard error of the mean. */
function errorOf(values: readonly number[]): number {
  const middle = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}
