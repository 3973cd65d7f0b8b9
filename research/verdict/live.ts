import { parseArgs } from 'node:util';
import type { BenchResult } from '../../scripts/bench/target.ts';
import { readCpuModel } from '../../src/adapters/machine/cpu.ts';
import { compared } from './live/comparing.ts';
import { calibratedUs, endpointInjection, injectionOf } from './live/injection.ts';
import { calibrationOf, KINDS, type LiveKind } from './live/kinds.ts';
import type { Injected, LiveResult } from './live/result.ts';
import { addResult, resultsIn } from './live/results-file.ts';
import { type Planned, SCHEDULE_SEED, scheduleOf } from './live/schedule.ts';
import { assessed, isFound } from './live/targets.ts';

/** Failures in a row after which the machine is to blame, and not one comparison. */
const MOST_FAILURES = 3;

/**
 * Measures what the results file lacks, a line each, and assesses all that it then holds. `--only KIND` takes kinds whose
 * name begins so, `--count N` and `--minutes M` end the session (`--count 0` only assesses), `--out FILE` is the file.
 */
export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  const { only, count, minutes, out } = optionsOf(process.argv.slice(2));
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const started = performance.now();
  const results = resultsIn(out);
  const schedule = scheduleOf(results, only).slice(0, count);
  const cpuModel = await readCpuModel();
  say(`${results.length} comparisons in ${out}; ${schedule.length} to be measured, seed ${SCHEDULE_SEED}`);

  const measure = async (planned: Planned, injected: Injected) => {
    const result = await compared(planned, injected);
    addResult(out, result);
    results.push(result);
    say(summaryOf(result));
  };
  let failures = 0;
  for (const planned of schedule) {
    if (stopped || performance.now() - started > minutes * 60_000) break;
    try {
      const { cost } = planned.kind;
      if (cost?.kind === 'cpu' && cost.endpoints !== undefined) {
        const { endpoints, share } = cost;
        const injected = () => endpointInjection(endpoints, share, cpuModel, results);
        const nothing = KINDS.find(({ name }) => name === 'standard-null')!;
        // A comparison of equal builds tells what an endpoint costs, and is wanted anyway.
        if (injected() === null) await measure({ ...planned, kind: nothing }, injectionOf(nothing, null));
        await measure(planned, injected()!);
        failures = 0;
        continue;
      }
      let baseUs = calibrated(planned, cpuModel, results);
      if (planned.kind.cost?.kind === 'cpu' && baseUs === null) {
        const calibration = { ...planned, kind: calibrationOf(planned.kind) };
        await measure(calibration, injectionOf(calibration.kind, null));
        baseUs = calibrated(planned, cpuModel, results);
      }
      await measure(planned, injectionOf(planned.kind, baseUs));
      failures = 0;
    } catch (error) {
      if (stopped) break;
      failures += 1;
      say(`${planned.kind.name}, seed ${planned.seed}: ${(error as Error).message}`);
      if (failures === MOST_FAILURES) throw new Error(`${MOST_FAILURES} comparisons in a row came to nothing.`);
    }
  }
  return assessed(results);
}

function optionsOf(args: string[]): { only: string; count: number; minutes: number; out: string } {
  const { values } = parseArgs({
    args,
    strict: false,
    options: {
      only: { type: 'string', default: '' },
      count: { type: 'string', default: 'Infinity' },
      minutes: { type: 'string', default: 'Infinity' },
      out: { type: 'string', default: 'research/recordings/live/verdict-live.jsonl' },
    },
  });
  const [count, minutes] = [Number(values.count), Number(values.minutes)];
  if (!(count >= 0) || !(minutes >= 0)) throw new Error('--count and --minutes are numbers from 0.');
  return { only: String(values.only), count, minutes, out: String(values.out) };
}

/** From what has the same matrix, whatever was injected: its baseline is the same. */
function calibrated({ kind, condition }: Planned, cpuModel: string, results: readonly LiveResult[]): number | null {
  const same = (other: LiveKind) => other.matrix === kind.matrix && other.server === kind.server;
  const kinds = [...KINDS.filter(same).map(({ name }) => name), calibrationOf(kind).name];
  return calibratedUs(kinds, condition, { cpuModel, now: new Date() }, results);
}

function summaryOf(result: LiveResult): string {
  const { kind, condition, seed, seconds, rounds, verdicts } = result;
  const red = verdicts.filter(({ verdict }) => verdict === 'regression');
  // Of what is red on a level, its cases say the same again; the service's CPU is the widest figure that every comparison has.
  const levels = red.filter((each) => each.case.endsWith('/*'));
  const shown = red.length === 0 ? verdicts.filter(isCpuOfService).slice(0, 1) : levels.length === 0 ? red : levels;
  const figures = shown.map(({ case: key, metric, change }) =>
    change === null ? `${key} ${metric}` : `${key} ${metric} ${(change * 100).toFixed(2)} %`,
  );
  return [
    `${kind} ${condition}, seed ${seed}: ${rounds} rounds in ${seconds.comparing} s`,
    `${red.length === 0 ? 'no red' : 'red'}: ${figures.join(', ')}`,
    ...(KINDS.some(({ name, shows }) => name === kind && shows !== null) ? [isFound(result) ? 'found' : 'missed'] : []),
  ].join('; ');
}

const isCpuOfService = ({ case: key, metric }: LiveResult['verdicts'][number]) =>
  metric === 'cpu-per-request' && key.endsWith('/*') && key.split('/').length === 2;
