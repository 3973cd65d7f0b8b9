import type { Testbed, TestbedRequest } from '../../../src/app/ports/testbed.ts';
import type { PrepareStep } from '../../../src/core/config/prepare.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
import { atMost, type BenchResult, rounded } from '../target.ts';
import type { BenchSide } from './sides.ts';

/** So often everything is prepared, and of each so often data are put back and a side started. */
const PREPARATIONS = 3;
const TURNS = 2;
/** Of what a start of the whole side costs instead. */
const MOST_OF_RESTART = 1;

const signal = new AbortController().signal;

/** Seconds of each time. */
interface Times {
  /** What the first start takes from the end of its last step on, and others do not: ending in order, writing, copying. */
  snapshot: number[];
  /** What a start takes longer with the data than without any. */
  roundStart: number[];
  restore: number[];
  /** Ending the side and starting it again instead. */
  restart: number[];
}

/** What keeping the data of a side costs. Throws where they are not what they were. */
export async function costsOf(
  side: BenchSide,
  specDirectory: string,
  say: (line: string) => void,
): Promise<BenchResult> {
  const times: Times = { snapshot: [], roundStart: [], restore: [], restart: [] };
  for (let number = 1; number <= PREPARATIONS; number += 1) await timed(side, specDirectory, number, times);
  const spreads = {
    'a snapshot': times.snapshot,
    "a round's start loses": times.roundStart,
    'putting back': times.restore,
    'starting the side again': times.restart,
  };
  const texts = Object.entries(spreads).map(([what, values]) => `${what} ${spreadText(values)}`);
  say(`${side.name}: ${texts.join('; ')}`);
  const ratios = times.restore.map((value, at) => value / times.restart[at]!);
  return {
    figures: Object.fromEntries(
      Object.entries(spreads).map(([what, values]) => [`${side.name}: ${what}`, spreadText(values)]),
    ),
    targets: [
      atMost(`${side.name}: putting back / starting the side again`, rounded(median(ratios), 3), MOST_OF_RESTART),
    ],
  };
}

/** `0.41 s (0.38 to 0.52, 9 times)` */
function spreadText(values: readonly number[]): string {
  const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)].map((value) =>
    value.toFixed(2),
  );
  return `${middle} s (${least} to ${most}, ${values.length} times)`;
}

async function timed(
  { name, runtime, spec, write, whole }: BenchSide,
  specDirectory: string,
  number: number,
  times: Times,
): Promise<void> {
  const runId = `bench-restore-${process.pid}-${number}`;
  const service = spec.services[0]!;
  const prepared = { runId, spec, services: [service], specDirectory, onLine: () => {} };
  const [had] = await runtime.prepare(prepared, signal);
  if (had?.failure) throw had.failure;
  let round = 0;
  const start = async (of: ResolvedSpec): Promise<Testbed> => {
    round += 1;
    const placement = { service: '0', database: '0', generator: '1' };
    const request: TestbedRequest = {
      ...{ runId, spec: of, service, variant: 'candidate', round, placement },
      ...{ specDirectory, artifact: had?.artifact ?? '', isBrief: true },
    };
    return await runtime.start(request, signal);
  };
  const { prepare = [], ...unprepared } = spec;
  const bare: ResolvedSpec = { ...unprepared, endpoints: [] };
  let preparedAt = 0;
  const steps = notingEnd(prepare, () => {
    preparedAt = performance.now();
  });
  const starts: number[] = [];
  let testbed = await start({ ...spec, prepare: steps });
  const firstUpAt = performance.now();
  try {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await written(testbed, write);
      times.restore.push(await secondsOf(() => testbed.restoreData!(signal)));
      await requireWhole(testbed, whole, `${name}, put back`);
      const stopping = await secondsOf(() => testbed.stop());
      const starting = await secondsOf(async () => {
        testbed = await start(spec);
      });
      await requireWhole(testbed, whole, `${name}, started`);
      starts.push(starting);
      times.restart.push(stopping + starting);
      let other: Testbed | null = null;
      const withoutAny = await secondsOf(async () => {
        other = await start(bare);
      });
      await (other as Testbed | null)?.stop();
      times.roundStart.push(starting - withoutAny);
    }
    times.snapshot.push((firstUpAt - preparedAt) / 1000 - median(starts));
  } finally {
    await testbed.stop();
    await runtime.release(runId);
  }
}

/** The same steps, which tell when the last of them has ended. */
function notingEnd(steps: readonly PrepareStep[], note: () => void): PrepareStep[] {
  return Object.assign([...steps], {
    *entries() {
      yield* steps.entries();
      note();
    },
  });
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

/** Also after the connections were lost. */
async function written({ origins }: Testbed, { path, body }: BenchSide['write']): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await fetch(`${origins.direct}${path}`, {
      ...{ method: 'POST', body, headers: { connection: 'close' } },
    });
    if (answer.status === 201) return;
  }
  throw new Error(`The service does not take POST ${path}.`);
}

async function requireWhole({ origins }: Testbed, { path, body }: BenchSide['whole'], when: string): Promise<void> {
  let said = '';
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await fetch(`${origins.direct}${path}`, { headers: { connection: 'close' } });
    said = await answer.text();
    if (answer.status === 200) break;
  }
  if (said !== body) throw new Error(`${when}: GET ${path} is answered with ${said} instead of ${body}.`);
}
