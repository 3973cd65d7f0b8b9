import path from 'node:path';
import { usualHistory } from '../../adapters/files/record-history.ts';
import { progressOn } from '../../adapters/terminal/progress.ts';
import type { WantedBaseline } from '../../app/baseline/prepared-baseline.ts';
import { UsageError } from '../../app/failures.ts';
import type { Progress } from '../../app/ports/progress.ts';
import { anchoredRun } from '../../app/run/anchored-run.ts';
import type { RunResult } from '../../app/run/run.ts';
import { type RunOptions, runOptions } from '../../app/run/run-options.ts';
import { acceptanceOf } from '../../core/comparison/acceptance.ts';
import { RESULTS_FOLDER } from '../../core/config/paths.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { Shard } from '../../core/config/shard.ts';
import type { WantedRuntime } from '../../core/doctor/runtime.ts';
import { runAdapters } from '../adapters.ts';
import { interruptible } from '../interruption.ts';
import { print, printJson, printJsonText } from '../output.ts';
import { exitStatusOf, summary } from '../run-outcome.ts';
import { runnerContainerRun } from '../runner-container-run.ts';
import { specFile } from './files.ts';

export interface RunCommandOptions {
  out?: string;
  only?: string;
  quick?: boolean;
  shard?: Shard;
  runtime: WantedRuntime;
  seed?: number;
  resume?: string;
  json?: boolean;
  /** True where the option stands without a value. */
  baseline?: string | true;
  accept: string[];
  failOnInconclusive?: boolean;
  skip: boolean;
  /** Seconds. */
  wait?: number;
}

export async function runCommand(file: string, options: RunCommandOptions): Promise<number> {
  const { spec, directory } = await specFile(file);
  if (options.resume !== undefined) refuseBesideResume(options);
  const { only = null, quick = false, shard = null, runtime, seed = null, failOnInconclusive = false } = options;
  const asked = runOptions(spec, path.resolve(file), {
    ...{ only, quick, shard, runtime, seed, failOnInconclusive },
    resume: options.resume !== undefined,
    baseline: options.baseline === undefined ? null : wantedBaseline(options.baseline, spec, directory),
    accepted: options.accept.map(acceptanceOf),
    noSkip: !options.skip,
    waitSeconds: options.wait ?? null,
  });
  return measureAndShow(asked, options.resume ?? options.out ?? newFolder(), options.json ?? false);
}

function refuseBesideResume({ only, quick, shard, seed, baseline, accept }: RunCommandOptions): void {
  if (
    only === undefined &&
    !quick &&
    shard === undefined &&
    seed === undefined &&
    baseline === undefined &&
    accept.length === 0
  )
    return;
  throw new UsageError(
    '--resume continues with the cases, the seed, the baseline and the acceptances of the earlier run: leave out --only, --quick, --shard, --seed, --baseline and --accept.',
  );
}

/** `--baseline` alone takes what the spec says. */
function wantedBaseline(given: string | true, { gate }: ResolvedSpec, directory: string): WantedBaseline {
  return given === true
    ? { text: gate.baseline, phraseFrom: 'spec', recordDirectory: directory }
    : { text: given, phraseFrom: 'call', recordDirectory: process.cwd() };
}

/** `wrkbench-results/2026-11-20T09-28-02`: every run has a folder of its own. */
function newFolder(): string {
  return path.join(RESULTS_FOLDER, new Date().toISOString().slice(0, 19).replaceAll(':', '-'));
}

/** Runs, prints the tables (or the record) and where the reports are, and resolves to the exit status. */
function measureAndShow(options: RunOptions, out: string, json: boolean): Promise<number> {
  const printLine = (line: string) => (json ? printJsonText : print)(`${line}\n`);
  const progress = progressOn(process.stderr, process.env);
  return interruptible(async (signal) => {
    const result = await measured(options, out, { json, printLine, progress }, signal);
    if (typeof result === 'number') return result;
    if (json) printJson(result.record);
    else print(summary(result, out));
    return exitStatusOf(result, options, signal);
  });
}

export interface MeasuredOutput {
  progress: Progress;
  /** Whether a run that is made elsewhere prints its record instead of its tables. */
  json: boolean;
  /** Called for each line that it prints. */
  printLine(line: string): void;
}

/**
 * What a run measured; or the exit status of one that a container beside the engine made, which has printed its result and
 * left it in `out`.
 */
export async function measured(
  options: RunOptions,
  out: string,
  { progress, json, printLine }: MeasuredOutput,
  signal: AbortSignal,
): Promise<RunResult | number> {
  const folder = path.resolve(out);
  const history = usualHistory(folder, process.env);
  const variables = { value: (name: string) => process.env[name] };
  const call = { options, out: folder, json, history, variables, print: printLine, progress };
  const status = await runnerContainerRun(call, signal);
  if (status !== null) return status;
  const adapters = await runAdapters(folder, options.specDirectory, options.resume, history);
  return await anchoredRun(options, { ...adapters, progress }, signal);
}
