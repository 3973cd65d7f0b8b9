import { parseArgs } from 'node:util';
import { atMost, type BenchResult } from '../scripts/bench/target.ts';
import { readCpuModel } from '../src/adapters/machine/cpu.ts';
import { mean } from '../src/core/statistics/moderated-variance.ts';
import { closedLoop, fixedRate, type Load } from './injection/load.ts';
import { type Side, startedSide } from './injection/side.ts';
import { withoutShares } from './verdict/live/injection.ts';
import { ENDPOINTS, type EndpointName } from './verdict/live/kinds.ts';

const SECONDS = 3;
/** Networks, one for each side. */
const [PLAIN, BURNING] = ['wrkbench-injection-plain', 'wrkbench-injection-burning'];

/** Of one load of both sides, for each request. */
interface Pair {
  plain: Cost;
  burning: Cost;
}
interface Cost {
  cpuUs: number;
  wakeUps: number;
}

/**
 * What a live comparison injects into the Node.js server, counted without the product: CPU time and wake-ups by the kernel's statistics of the
 * threads of server and database, requests by the generator's own text, a server with `BURN_US` or `BURN_SHARE` and one without it
 * loaded side by side, anew for each pair. `--endpoint users`, `--us 2` or `--share 0.06` is what is burnt, `--pairs 20` how many,
 * `--rate 600` requests/s at a fixed rate to each.
 */
export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    strict: false,
    options: {
      endpoint: { type: 'string', default: 'ping' },
      us: { type: 'string', default: '0' },
      share: { type: 'string', default: '0' },
      pairs: { type: 'string', default: '20' },
      rate: { type: 'string', default: '600' },
    },
  });
  const endpoint = String(values.endpoint) as EndpointName;
  if (!(endpoint in ENDPOINTS)) throw new Error(`--endpoint takes one of ${Object.keys(ENDPOINTS).join(', ')}.`);
  const [us, share, pairs, rate] = [Number(values.us), Number(values.share), Number(values.pairs), Number(values.rate)];
  const environment: Record<string, string> = {
    ...(us === 0 ? {} : { BURN_US: `${ENDPOINTS[endpoint]}=${us}` }),
    BURN_SHARE: `${ENDPOINTS[endpoint]}=${share}`,
  };
  const loads = [fixedRate(SECONDS, rate), closedLoop(SECONDS, 100), closedLoop(SECONDS, 1000)];
  const found = new Map<string, Pair[]>(loads.map(({ name }) => [name, []]));
  for (let pair = 0; pair < pairs; pair += 1) {
    const sides: Side[] = [];
    const start = async (name: string, own: Record<string, string>) => {
      const side = await startedSide(name, endpoint, own);
      sides.push(side);
      return side;
    };
    try {
      // What starts first is the one and the other in turn.
      const startPlain = () => start(PLAIN, withoutShares(environment));
      const startBurning = () => start(BURNING, environment);
      const early = pair % 2 === 0 ? await startPlain() : await startBurning();
      const late = pair % 2 === 0 ? await startBurning() : await startPlain();
      const [plain, burning] = pair % 2 === 0 ? [early, late] : [late, early];
      await costs(closedLoop(SECONDS, 100), plain, burning);
      for (const load of loads) {
        // And what is asked first.
        const measured = pair % 4 < 2 ? await costs(load, plain, burning) : swapped(await costs(load, burning, plain));
        found.get(load.name)!.push(measured);
      }
    } finally {
      for (const side of sides) side.remove();
    }
    say(`pair ${pair + 1} of ${pairs}`);
  }
  return {
    figures: {
      'CPU model': await readCpuModel(),
      endpoint,
      'burnt, us': us,
      'burnt, share': share,
      ...Object.fromEntries([...found].map(([name, of]) => [name, told(of)])),
    },
    targets: [atMost('loads without a figure', [...found.values()].filter((of) => of.length === 0).length, 0)],
  };
}

function swapped({ plain, burning }: Pair): Pair {
  return { plain: burning, burning: plain };
}

async function costs(load: Load, plain: Side, burning: Side): Promise<Pair> {
  const before = await Promise.all([plain.spent(), burning.spent()]);
  const requests = await load.requests([plain.url, burning.url]);
  const after = await Promise.all([plain.spent(), burning.spent()]);
  const each = (side: 0 | 1): Cost => ({
    cpuUs: (after[side].cpuUs - before[side].cpuUs) / requests[side],
    wakeUps: (after[side].wakeUps - before[side].wakeUps) / requests[side],
  });
  return { plain: each(0), burning: each(1) };
}

/** `24.31 us alone, 1.63 ± 0.12 us more, 6.7 ± 0.5 %`: with standard errors, of the logarithm for the share. */
function told(pairs: readonly Pair[]): string {
  const more = pairs.map(({ plain, burning }) => burning.cpuUs - plain.cpuUs);
  const share = pairs.map(({ plain, burning }) => Math.log(burning.cpuUs / plain.cpuUs));
  const alone = mean(pairs.map(({ plain }) => plain.cpuUs));
  const wakeUps = (side: keyof Pair) => mean(pairs.map((pair) => pair[side].wakeUps)).toFixed(3);
  return `${alone.toFixed(2)} us alone, ${mean(more).toFixed(2)} ± ${errorOf(more).toFixed(2)} us more, ${(100 * Math.expm1(mean(share))).toFixed(1)} ± ${(100 * errorOf(share)).toFixed(1)} %, ${wakeUps('plain')} and ${wakeUps('burning')} wake-ups`;
}

/** Standard error of the mean. */
function errorOf(values: readonly number[]): number {
  const middle = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}
