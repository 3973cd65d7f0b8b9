import path from 'node:path';
import { UsageError } from '../../app/failures.ts';
import { type RunOptions, run } from '../../app/run.ts';
import type { WantedRuntime } from '../../core/doctor/runtime.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import { terminalTable } from '../../core/report/terminal-table.ts';
import { runAdapters } from '../adapters.ts';
import { EXIT } from '../failure.ts';
import { interruption } from '../interruption.ts';
import { outputColors, outputWidth } from '../terminal.ts';
import { specFile } from './files.ts';

export interface RunCommandOptions {
  out?: string;
  only?: string;
  quick?: boolean;
  runtime: WantedRuntime;
  seed?: number;
  resume?: string;
  json?: boolean;
}

export async function runCommand(file: string, options: RunCommandOptions): Promise<number> {
  const { spec, directory } = await specFile(file);
  if (options.resume !== undefined && (options.only !== undefined || options.quick || options.seed !== undefined)) {
    throw new UsageError(
      '--resume goes on with the cases and the seed of the earlier run: leave out --only, --quick and --seed.',
    );
  }
  return measureAndShow(
    {
      spec,
      specDirectory: directory,
      only: options.only ?? null,
      quick: options.quick ?? false,
      runtime: options.runtime,
      seed: options.seed ?? null,
      resume: options.resume !== undefined,
    },
    options.resume ?? options.out ?? newFolder(),
    options.json ?? false,
  );
}

/** `wrkbench-results/2026-11-20T09-28-02`: every run has a folder of its own. */
function newFolder(): string {
  return path.join('wrkbench-results', new Date().toISOString().slice(0, 19).replaceAll(':', '-'));
}

/** Runs, prints the table (or the record) and where the reports are, and resolves to the exit status. */
export async function measureAndShow(options: RunOptions, out: string, json: boolean): Promise<number> {
  const { signal, release } = interruption();
  try {
    const adapters = await runAdapters(path.resolve(out), options.specDirectory, options.resume);
    const record = await run(options, adapters, signal);
    process.stdout.write(json ? `${JSON.stringify(record, null, 2)}\n` : summary(record, out));
    return exitCodeOf(record, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return EXIT.interrupted;
  } finally {
    release();
  }
}

function summary(record: RunRecord, out: string): string {
  const table = terminalTable(record, { width: outputWidth(), style: outputColors() });
  return `\n${table}\n\nReport: ${path.join(out, 'report.html')}\n`;
}

function exitCodeOf({ cases, interrupted }: RunRecord, signal: AbortSignal): number {
  if (signal.aborted) return EXIT.interrupted;
  if (interrupted !== null) return EXIT.machineLacks;
  if (cases.every(({ metrics }) => metrics.throughput === undefined)) return EXIT.nothingMeasured;
  return cases.some(({ status }) => status === 'invalid') ? EXIT.gateFailed : EXIT.done;
}
