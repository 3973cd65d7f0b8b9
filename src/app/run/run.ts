import { heldTo } from '../../core/baseline/sides.ts';
import { absoluteLimits, type LevelLimits, noLimits } from '../../core/comparison/absolute-limits.ts';
import type { Comparison } from '../../core/comparison/comparison.ts';
import { handedVariablesText, missingVariablesText, variablesOf } from '../../core/config/caller-variables.ts';
import { type Case, casesOf } from '../../core/config/case.ts';
import type { Placement, ResolvedSpec } from '../../core/config/resolved.ts';
import { quickened } from '../../core/config/selection.ts';
import type { Shard } from '../../core/config/shard.ts';
import type { MachineFacts } from '../../core/doctor/facts.ts';
import type { Finding } from '../../core/doctor/finding.ts';
import { loadablePart, notLoadableReason } from '../../core/doctor/loadable.ts';
import { withLoadableConnections } from '../../core/doctor/loadable-connections.ts';
import type { Runtime, WantedRuntime } from '../../core/doctor/runtime.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { planOf } from '../../core/plan/plan.ts';
import { runRecordOf } from '../../core/record/assembly.ts';
import type { JournalHeader } from '../../core/record/journal.ts';
import { redactedSpec } from '../../core/record/redaction.ts';
import type { Environment, RunRecord } from '../../core/record/run-record.ts';
import { portSettings, type Sysctls } from '../../core/topology/port-settings.ts';
import type { BaselineAdapters } from '../baseline/baseline-plan.ts';
import type { PreparedBaseline } from '../baseline/prepared-baseline.ts';
import { examination } from '../doctor.ts';
import { MachineLacks } from '../failures.ts';
import type { MeasuringAdapters } from '../measuring/adapters.ts';
import { withFilledAnswers, withFilledRequests } from '../measuring/filled-requests.ts';
import { withLogin } from '../measuring/logged-in-runtime.ts';
import { measure } from '../measuring/measuring.ts';
import { type ValuesByOrigin, valuesByOrigin } from '../measuring/values-by-origin.ts';
import type { CallerVariables } from '../ports/caller-variables.ts';
import type { GeneratorRunRequest } from '../ports/generators.ts';
import type { MachineLock } from '../ports/machine.ts';
import type { Progress } from '../ports/progress.ts';
import type { TestbedRuntime } from '../ports/testbed.ts';
import type { ReportAssets } from '../report.ts';
import { writeRecord, writeReports } from '../run-files.ts';
import { candidateFiles, refuseOtherFiles } from './candidate-files.ts';
import { candidateRuntime } from './candidate-runtime.ts';
import { budgetInForce, modeInForce } from './gate-in-force.ts';
import { redacting } from './redacting.ts';
import { refuseOtherMachine, refuseOtherSpec, resumedRun, specAgain } from './resume.ts';
import { discard, release, runBaseline } from './run-baseline.ts';
import { anchorOf, comparingOf, comparingRequest, comparisonWith, missingCases, pinned } from './run-comparison.ts';
import type { RunOptions } from './run-options.ts';
import { machineLimitOf, wantedSearches } from './run-searches.ts';

export interface RunResult {
  record: RunRecord;
  /** Null where there was nothing to compare with. */
  comparison: Comparison | null;
  /** Limits that need no baseline, of a run on its own; a comparison holds its own. */
  limits: LevelLimits;
  /** Fixed release that the gate in force names. */
  anchor: string | null;
  selection: { quick: boolean; only: string | null; shard: Shard | null };
}

export interface RunAdapters extends Omit<MeasuringAdapters, 'runtime'> {
  runtimes: Record<Runtime, TestbedRuntime>;
  variables: CallerVariables;
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
  environment(spec: ResolvedSpec, runtime: TestbedRuntime, facts: MachineFacts): Promise<Environment>;
  placementWarnings(placement: Placement): Promise<string[]>;
  /** Keeps wrkbench itself to these CPUs; resolves to what gives back all others. */
  stayOn(cpus: string): Promise<() => Promise<void>>;
  /** Sets kernel settings where it may, and tells which; `restore` puts them back. */
  setForRun(wanted: Sysctls): { changed: { name: string; from: string; to: string }[]; restore(): void };
  source(specFile: string): Promise<RunRecord['source']>;
}

/**
 * Measures what the spec asks for, and leaves `run.json` and the reports in the store's folder. Throws `UsageError`,
 * `MachineLacks`, `MachineBusy`, `EmptySelection` and `StoreError`; an interrupted run resolves, with what it had measured.
 */
export async function run(options: RunOptions, given: RunAdapters, signal: AbortSignal): Promise<RunResult> {
  refuseMissingVariables(options.spec, given.variables);
  const values = valuesByOrigin();
  const adapters = redacting(withLogins(given, values), options.spec, () => values.printed());
  const { store, clock, progress, lock, machine } = adapters;
  const variables = variablesOf(options.spec);
  if (variables.length > 0) progress.say(handedVariablesText(variables));
  const shorter = (spec: ResolvedSpec) => options.shortened?.(spec) ?? spec;
  const shortenedBy = (quick: boolean) => (spec: ResolvedSpec) => (quick ? quickened(shorter(spec)) : shorter(spec));
  const resumed = options.resume
    ? await resumedRun((before) => specAgain(options.spec, before, shortenedBy), store)
    : null;
  const earlier = resumed?.header;
  const selection = earlier?.selection ?? {
    quick: options.quick,
    only: options.only,
    ...(options.shard == null ? {} : { shard: options.shard }),
  };
  const { only, shard = null } = selection;
  const seed = earlier?.seed ?? options.seed ?? machine.newSeed();
  const shortened = shortenedBy(selection.quick);
  let spec = earlier === undefined ? shortened(options.spec) : specAgain(options.spec, earlier, shortenedBy);
  let plan = planOf(spec, { seed, only, shard });
  const id = earlier?.id ?? machine.newRunId(clock.now());

  const held = await lock.acquire(
    id,
    (holder) =>
      progress.say(`Waiting for another run to end, since two at a time would measure each other: ${holder}.`),
    signal,
    options.waitSeconds,
  );
  const isOnLoopback =
    options.runtime === 'process' && plan.services.every(({ service }) => service.network === 'open');
  const settings = machine.setForRun(isOnLoopback ? {} : portSettings(plan));
  let baseline: PreparedBaseline = { kind: 'none' };
  let leaveCpus = async () => {};
  try {
    for (const { name, from, to } of settings.changed) {
      progress.say(`${name} is ${to} while this run measures, and ${from} again after it`.replaceAll('\t', ' '));
    }
    const facts = await machine.facts(store.directory);
    if (resumed !== null) refuseOtherMachine(resumed, facts.cpu.model);
    // A comparison and a shard have their cases from elsewhere too, which knows nothing of this machine.
    if (selection.quick && options.baseline === null && shard === null && earlier === undefined) {
      spec = shortened(withLoadableConnections(options.spec, facts, options.runtime));
      plan = planOf(spec, { seed, only, shard });
    }
    const ownFolders = [store.directory, ...(options.ownFolders ?? [])];
    const files = await candidateFiles(options, ownFolders, adapters.baselines);
    if (resumed !== null) refuseOtherFiles(resumed, files);
    const runtime =
      adapters.runtimes[examined(spec, plan, facts, earlier?.environment.runtime ?? options.runtime, progress)];
    const wanted = { ...options, selection: { quick: selection.quick, only }, shortened, ownFolders, resumed };
    baseline = await runBaseline(wanted, { run: { id, runtime }, adapters, signal });
    if (baseline.kind === 'built') {
      // The same cases in the same order, asked and loaded as the baseline has it.
      spec = heldTo(baseline.spec, spec);
      if (resumed !== null) refuseOtherSpec(resumed, spec);
      plan = planOf(spec, { seed, only, shard });
    }
    const mode = earlier?.comparing?.mode ?? modeInForce(baseline, spec, facts);
    const budgetSeconds = earlier?.comparing?.gate.budgetSeconds ?? budgetInForce(baseline, spec, plan);
    const header: JournalHeader = earlier ?? {
      schemaVersion: 1,
      id,
      startedAt: clock.now().toISOString(),
      tool: { name: 'wrkbench', version: adapters.toolVersion },
      source: await machine.source(options.specFile),
      environment: await machine.environment(spec, runtime, facts),
      spec: redactedSpec(spec),
      seed: plan.seed,
      selection: { ...selection, ...pinned(baseline), ...files },
      ...comparingOf(baseline, mode, options.accepted, {
        candidate: shortened(options.spec),
        event: adapters.baselines.workflow.event,
        budgetSeconds,
      }),
    };
    for (const warning of await machine.placementWarnings(header.environment.placement)) progress.warn(warning);
    leaveCpus = await machine.stayOn(header.environment.placement.generator);
    const comparing = comparingRequest(baseline, mode, spec, {
      noSkip: options.noSkip,
      event: adapters.baselines.workflow.event,
      budgetSeconds,
      only,
      shard,
    });
    const entries = resumed?.entries ?? null;
    const unloadable = loadablePart(spec, plan, facts, runtime.kind).unloadable.map((each) => ({
      caseKey: each.case.key,
      reason: notLoadableReason(each),
    }));
    const request = {
      header,
      searches: wantedSearches(spec, header, progress),
      machineLimit: machineLimitOf(spec, plan, facts, runtime.kind),
      spec,
      specDirectory: options.specDirectory,
      plan,
      unloadable,
      resumed: entries,
      comparing,
    };
    const { candidateBuildDirectory: buildDirectory = null, specDirectory: gatewayDirectory = null } =
      baseline.kind === 'built' ? baseline : {};
    const ofCandidate = candidateRuntime(runtime, { buildDirectory, resumed, gatewayDirectory }, progress);
    const { generators, requestFiles } =
      baseline.kind === 'built' ? measuredByFilesIn(baseline.specDirectory, adapters) : adapters;
    const { interrupted } = await measure(
      request,
      { ...adapters, generators, requestFiles, runtime: ofCandidate },
      signal,
    );
    // A run that is gone on with is held against the very same image.
    if (interrupted === null) await discard(baseline, runtime);
  } finally {
    await leaveCpus();
    await release(baseline);
    settings.restore();
    await held.release();
  }
  const record = await recordOfJournal(spec, plan, missingCases(baseline, { only, shard }), adapters);
  await writeRecord(record, adapters);
  const { quick } = selection;
  const comparison = await comparisonWith(baseline, record, { ...options, only }, adapters.baselines);
  await writeReports(record, comparison, adapters);
  const limits = comparison === null ? absoluteLimits(record, { accepted: options.accepted }) : noLimits;
  return { record, comparison, limits, anchor: anchorOf(baseline), selection: { quick, only, shard } };
}

/** Throws `MachineLacks` before anything is built for a run that could start nothing. */
function refuseMissingVariables(spec: ResolvedSpec, variables: CallerVariables): void {
  const missing = variablesOf(spec).filter(({ name }) => variables.value(name) === undefined);
  if (missing.length > 0) throw new MachineLacks(missingVariablesText(missing));
}

/** Each testbed is logged in to before it is asked, and asked with what that took. */
function withLogins(adapters: RunAdapters, values: ValuesByOrigin): RunAdapters {
  const { runtimes, generators, probe } = adapters;
  return {
    ...adapters,
    runtimes: {
      docker: withLogin(runtimes.docker, values, adapters),
      process: withLogin(runtimes.process, values, adapters),
    },
    generators: withFilledRequests(generators, values),
    probe: withFilledAnswers(probe, values),
  };
}

type MeasuringFiles = Pick<RunAdapters, 'generators' | 'requestFiles'>;

/** Both sides are loaded by the baseline's scripts and requests; cases that only the candidate has may have some of their own. */
function measuredByFilesIn(directory: string, { generators, requestFiles }: MeasuringFiles): MeasuringFiles {
  const withScripts = (request: GeneratorRunRequest) => ({ ...request, scriptDirectory: directory });
  return {
    generators: {
      version: (name) => generators.version(name),
      run: (request, signal) => generators.run(withScripts(request), signal),
      runTogether: ([first, second], signal) =>
        generators.runTogether([withScripts(first), withScripts(second)], signal),
    },
    requestFiles: requestFiles.firstIn(directory),
  };
}

/**
 * A run starts with what `doctor` says: a problem ends it, a warning is told, and so are cases that this machine cannot load.
 * Gives the runtime to take.
 */
function examined(
  spec: ResolvedSpec,
  plan: Plan,
  facts: MachineFacts,
  wanted: WantedRuntime,
  progress: Progress,
): Runtime {
  const { findings, runtime } = examination(spec, plan, facts, wanted);
  const text = ({ message, command }: Finding) => (command === null ? message : `${message}\n    ${command}`);
  const of = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).map(text);
  for (const warning of of('warning')) progress.warn(warning);
  const lacks = of('problem');
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
  const planned = new Set(plan.services.flatMap(({ cases }) => cases.map(({ key }) => key)));
  return casesOf(spec).filter(({ key }) => planned.has(key));
}
