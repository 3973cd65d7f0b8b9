import { absoluteLimits, type LevelLimits } from '../core/comparison/absolute-limits.ts';
import type { Acceptance, Comparison } from '../core/comparison/comparison.ts';
import type { MachineFacts } from '../core/doctor/facts.ts';
import type { Finding } from '../core/doctor/finding.ts';
import type { Runtime, WantedRuntime } from '../core/doctor/runtime.ts';
import type { Case, Plan } from '../core/plan/case.ts';
import { casesOf } from '../core/plan/cases.ts';
import { planOf } from '../core/plan/plan.ts';
import { quickened } from '../core/plan/selection.ts';
import { runRecordOf } from '../core/record/assembly.ts';
import type { JournalEntry, JournalHeader } from '../core/record/journal.ts';
import { redactedSpec } from '../core/record/redaction.ts';
import type { Comparing, Environment, RunRecord } from '../core/record/run-record.ts';
import type { Placement, ResolvedSpec } from '../core/spec/resolved.ts';
import { portSettings, type Sysctls } from '../core/topology/port-settings.ts';
import type { BaselineAdapters } from './baseline/baseline-plan.ts';
import { doctor } from './doctor.ts';
import { MachineLacks, UsageError } from './failures.ts';
import type { MeasuringAdapters } from './measuring/adapters.ts';
import { measure } from './measuring/measuring.ts';
import type { MachineLock } from './ports/machine.ts';
import type { Progress } from './ports/progress.ts';
import type { RunStore } from './ports/run-store.ts';
import type { StageRuntime } from './ports/stage.ts';
import { type ReportAssets, renderReport } from './report.ts';
import {
  comparingOf,
  comparingRequest,
  comparisonWith,
  missingCases,
  pinned,
  type RunBaseline,
  release,
  runBaseline,
  type WantedBaseline,
} from './run-baseline.ts';

export interface RunOptions {
  spec: ResolvedSpec;
  /** Absolute. */
  specFile: string;
  /** Folder of the spec file. */
  specDirectory: string;
  only: string | null;
  quick: boolean;
  runtime: WantedRuntime;
  /** Null draws one. */
  seed: number | null;
  /** Go on with the run that the folder holds. */
  resume: boolean;
  /** What the candidate is compared with; null for a run on its own. */
  baseline: WantedBaseline | null;
  /** `--accept`: regressions that are known and wanted. */
  accepted: Acceptance[];
  failOnInconclusive: boolean;
  /** Measure even where both sides are the same. */
  noSkip: boolean;
}

export interface RunResult {
  record: RunRecord;
  /** Null where there was nothing to compare with. */
  comparison: Comparison | null;
  /** Limits that need no baseline, of a run on its own; a comparison holds its own. */
  limits: LevelLimits;
}

export interface RunAdapters extends Omit<MeasuringAdapters, 'runtime'> {
  runtimes: Record<Runtime, StageRuntime>;
  lock: MachineLock;
  baselines: BaselineAdapters;
  machine: Machine;
  assets: ReportAssets;
  toolVersion: string;
}

/** What a run wants to know of the machine that it is on. */
export interface Machine {
  newRunId(at: Date): string;
  newSeed(): number;
  facts(outputDirectory: string): Promise<MachineFacts>;
  environment(spec: ResolvedSpec, runtime: StageRuntime, facts: MachineFacts): Promise<Environment>;
  placementWarnings(placement: Placement): Promise<string[]>;
  /** Keeps wrkbench itself to these CPUs. */
  stayOn(cpus: string): Promise<unknown>;
  /** Sets kernel settings where it may, and tells which; `restore` puts them back. */
  setForRun(wanted: Sysctls): { changed: { name: string; from: string; to: string }[]; restore(): void };
  source(directory: string): Promise<RunRecord['source']>;
}

/**
 * Measures what the spec asks for, and leaves `run.json` and the reports in the store's folder. Throws `UsageError`,
 * `MachineLacks`, `EmptySelection` and `StoreError`; an interrupted run resolves, with what it had measured.
 */
export async function run(options: RunOptions, adapters: RunAdapters, signal: AbortSignal): Promise<RunResult> {
  const { store, clock, progress, lock, machine } = adapters;
  const resumed = options.resume ? await resumedJournal(options.spec, store) : null;
  const earlier = resumed?.[0] as JournalHeader | undefined;
  const selection = earlier?.selection ?? { quick: options.quick, only: options.only };
  const spec = selection.quick ? quickened(options.spec) : options.spec;
  const plan = planOf(spec, { seed: earlier?.seed ?? options.seed ?? machine.newSeed(), only: selection.only });
  const id = earlier?.id ?? machine.newRunId(clock.now());

  const held = await lock.acquire(
    id,
    (holder) =>
      progress.say(`Waiting for another run to end, since two at a time would measure each other: ${holder}.`),
    signal,
  );
  const settings = machine.setForRun(options.runtime === 'process' ? {} : portSettings(plan));
  let baseline: RunBaseline = { kind: 'none', cautions: [] };
  try {
    for (const { name, from, to } of settings.changed) {
      progress.say(`${name} is ${to} while this run measures, and ${from} again after it`.replaceAll('\t', ' '));
    }
    const facts = await machine.facts(store.directory);
    const runtime =
      adapters.runtimes[examined(spec, plan, facts, earlier?.environment.runtime ?? options.runtime, progress)];
    baseline = await runBaseline({ ...options, spec, earlier }, { id, runtime }, adapters, signal);
    const mode = earlier?.comparing?.mode ?? modeOn(facts, spec);
    const header: JournalHeader = earlier ?? {
      schemaVersion: 1,
      id,
      startedAt: clock.now().toISOString(),
      tool: { name: 'wrkbench', version: adapters.toolVersion },
      source: await machine.source(options.specDirectory),
      environment: await machine.environment(spec, runtime, facts),
      spec: redactedSpec(spec),
      seed: plan.seed,
      selection: { ...selection, ...pinned(baseline) },
      ...comparingOf(baseline, mode, options.accepted),
    };
    for (const warning of await machine.placementWarnings(header.environment.placement)) progress.warn(warning);
    await machine.stayOn(header.environment.placement.generator);
    const comparing = comparingRequest(baseline, mode, spec, { noSkip: options.noSkip, only: selection.only });
    const request = { header, spec, specDirectory: options.specDirectory, plan, resumed, comparing };
    await measure(request, { ...adapters, runtime }, signal);
  } finally {
    await release(baseline);
    settings.restore();
    await held.release();
  }
  const record = await recordOfJournal(spec, plan, missingCases(baseline, selection.only), adapters);
  const judging = { ...options, only: selection.only };
  const comparison = await comparisonWith(baseline, record, judging, adapters.baselines);
  await writeReports(record, comparison, adapters);
  const limits = comparison === null ? absoluteLimits(record) : { broken: [], unjudged: [], cautions: [] };
  return { record, comparison, limits };
}

/** Two variants at the same time want a CPU for the servers and another one for the generator. */
function modeOn({ cpu }: MachineFacts, { gate: { pairing } }: ResolvedSpec): Comparing['mode'] {
  return pairing ?? (cpu.usable > 1 ? 'duet' : 'interleaved');
}

async function resumedJournal(spec: ResolvedSpec, store: RunStore): Promise<JournalEntry[]> {
  const entries = await store.journal.read();
  if (entries === null) {
    throw new UsageError(
      `${store.directory} holds no journal.jsonl, so there is nothing to go on with. Start a new run with --out.`,
    );
  }
  const header = entries[0] as JournalHeader;
  const measured = header.selection.quick ? quickened(spec) : spec;
  if (JSON.stringify(header.spec) !== JSON.stringify(redactedSpec(measured))) {
    throw new UsageError(
      `${store.directory} was measured with another spec than this one. Start a new run in another folder, or give the spec as it was.`,
    );
  }
  return entries;
}

/** A run starts with what `doctor` says: a lack ends it, a warning is told. Gives the runtime to take. */
function examined(
  spec: ResolvedSpec,
  plan: Plan,
  facts: MachineFacts,
  wanted: WantedRuntime,
  progress: Progress,
): Runtime {
  const { findings, runtime } = doctor(spec, plan, facts, wanted);
  const text = ({ message, command }: Finding) => (command === null ? message : `${message}\n    ${command}`);
  const of = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).map(text);
  for (const warning of of('warning')) progress.warn(warning);
  const lacks = of('lack');
  if (lacks.length > 0) throw new MachineLacks(lacks.join('\n'));
  return runtime;
}

async function recordOfJournal(
  spec: ResolvedSpec,
  plan: Plan,
  missing: readonly Case[],
  { store, clock }: Pick<RunAdapters, 'store' | 'clock'>,
): Promise<RunRecord> {
  const entries = (await store.journal.read()) ?? [];
  return runRecordOf(entries, [...inOrderOfSpec(plan, spec), ...missing], clock.now().toISOString());
}

/** Reports show cases as the spec has them; the plan has them shuffled. */
function inOrderOfSpec(plan: Plan, spec: ResolvedSpec): Case[] {
  const planned = new Set(plan.stages.flatMap(({ cases }) => cases.map(({ key }) => key)));
  return casesOf(spec).filter(({ key }) => planned.has(key));
}

/** Every file that a run leaves beside its journal. */
export async function writeReports(
  record: RunRecord,
  comparison: Comparison | null,
  { store, assets }: Pick<RunAdapters, 'store' | 'assets'>,
): Promise<void> {
  await store.write('run.json', `${JSON.stringify(record, null, 2)}\n`);
  if (comparison !== null) await store.write('comparison.json', `${JSON.stringify(comparison, null, 2)}\n`);
  await store.write('report.md', renderReport(record, 'markdown', assets, comparison));
  await store.write('report.html', renderReport(record, 'html', assets, comparison));
}
