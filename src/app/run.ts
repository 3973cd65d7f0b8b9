import type { Finding } from '../core/doctor/findings.ts';
import type { Plan } from '../core/plan/case.ts';
import { casesOf } from '../core/plan/cases.ts';
import { planOf } from '../core/plan/plan.ts';
import { runRecordOf } from '../core/record/assembly.ts';
import type { JournalEntry, JournalHeader } from '../core/record/journal.ts';
import { redactedSpec } from '../core/record/redaction.ts';
import type { Environment, RunRecord } from '../core/record/run-record.ts';
import type { ResolvedSpec } from '../core/spec/resolved.ts';
import { MachineLacks, UsageError } from './failures.ts';
import type { MeasuringAdapters } from './measuring/adapters.ts';
import { measure } from './measuring/measuring.ts';
import type { MachineLock, StageRuntime } from './ports.ts';
import { type ReportAssets, renderReport } from './report.ts';
import { chosenRuntime, type RuntimeChoice } from './runtime-choice.ts';

export interface RunOptions {
  spec: ResolvedSpec;
  /** Folder of the spec file, absolute. */
  specDirectory: string;
  only: string | null;
  quick: boolean;
  runtime: RuntimeChoice;
  /** Null draws one. */
  seed: number | null;
  /** Go on with the run that the folder holds. */
  resume: boolean;
}

export interface RunAdapters extends Omit<MeasuringAdapters, 'runtime'> {
  runtimes: Record<'docker' | 'process', StageRuntime>;
  lock: MachineLock;
  machine: Machine;
  assets: ReportAssets;
  toolVersion: string;
}

/** What a run wants to know of the machine that it is on. */
export interface Machine {
  newRunId(at: Date): string;
  newSeed(): number;
  environment(spec: ResolvedSpec, runtime: StageRuntime): Promise<Environment>;
  source(directory: string): Promise<RunRecord['source']>;
  findings(spec: ResolvedSpec, plan: Plan, runtime: StageRuntime): Promise<Finding[]>;
}

/** Measures, and leaves `run.json` and the reports in the store's folder. Throws `UsageError`, `MachineLacks`, `StoreError`. */
export async function run(options: RunOptions, adapters: RunAdapters, signal: AbortSignal): Promise<RunRecord> {
  const { store, clock, progress, lock, machine } = adapters;
  const resumed = options.resume ? await resumedJournal(options, adapters) : null;
  const earlier = resumed?.[0] as JournalHeader | undefined;

  const { runtime, word } = await chosenRuntime(
    earlier?.environment.runtime ?? options.runtime,
    options.spec,
    adapters.runtimes,
  );
  if (word !== null) progress.say(word);
  const selection = earlier?.selection ?? { quick: options.quick, only: options.only };
  const plan = planOf(options.spec, { seed: earlier?.seed ?? options.seed ?? machine.newSeed(), ...selection });
  const id = earlier?.id ?? machine.newRunId(clock.now());

  const held = await lock.acquire(
    id,
    (holder) => progress.say(`Waiting: ${holder}. Two runs at a time would measure each other.`),
    signal,
  );
  try {
    await examined(options.spec, plan, runtime, adapters);
    const header = earlier ?? (await newHeader(id, plan.seed, selection, options, runtime, adapters));
    const parts = { ...adapters, runtime };
    await measure({ header, spec: options.spec, specDirectory: options.specDirectory, plan, resumed }, parts, signal);
  } finally {
    await held.release();
  }
  const entries = (await store.journal.read()) ?? [];
  const record = runRecordOf(
    entries,
    planOf(options.spec, { seed: plan.seed, ...selection }).stages.flatMap(({ cases }) => cases),
    clock.now().toISOString(),
  );
  await writeReports(record, options.spec, adapters);
  return record;
}

async function resumedJournal(options: RunOptions, { store }: RunAdapters): Promise<JournalEntry[]> {
  const entries = await store.journal.read();
  if (entries === null) {
    throw new UsageError(
      `${store.directory} holds no journal.jsonl, so there is nothing to go on with. Start a new run with --out.`,
    );
  }
  const header = entries[0] as JournalHeader;
  if (JSON.stringify(header.spec) !== JSON.stringify(redactedSpec(options.spec))) {
    throw new UsageError(
      `${store.directory} was measured with another spec than this one. Start a new run in another folder, or give the spec as it was.`,
    );
  }
  return entries;
}

async function newHeader(
  id: string,
  seed: number,
  selection: JournalHeader['selection'],
  { spec, specDirectory }: RunOptions,
  runtime: StageRuntime,
  { machine, clock, toolVersion }: RunAdapters,
): Promise<JournalHeader> {
  return {
    schemaVersion: 1,
    id,
    startedAt: clock.now().toISOString(),
    tool: { name: 'wrkbench', version: toolVersion },
    source: await machine.source(specDirectory),
    environment: await machine.environment(spec, runtime),
    spec: redactedSpec(spec),
    seed,
    selection,
  };
}

/** A run starts with what `doctor` would say: a lack ends it, a warning is told. */
async function examined(spec: ResolvedSpec, plan: Plan, runtime: StageRuntime, { machine, progress }: RunAdapters) {
  const findings = await machine.findings(spec, plan, runtime);
  const text = ({ message, command }: Finding) => (command === null ? message : `${message}\n    ${command}`);
  for (const finding of findings.filter(({ severity }) => severity === 'warning')) progress.warn(text(finding));
  const lacks = findings.filter(({ severity }) => severity === 'lack');
  if (lacks.length > 0) throw new MachineLacks(lacks.map(text).join('\n'));
}

/** Every file that a run leaves beside its journal; also for a journal whose run did not come to its end. */
export async function writeReports(
  record: RunRecord,
  _spec: ResolvedSpec,
  { store, assets }: Pick<RunAdapters, 'store' | 'assets'>,
): Promise<void> {
  await store.write('run.json', `${JSON.stringify(record, null, 2)}\n`);
  await store.write('report.md', renderReport(record, 'markdown', assets));
  await store.write('report.html', renderReport(record, 'html', assets));
}

export { casesOf };
