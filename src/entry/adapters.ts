import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import pageScript from 'wrkbench:report-page';
import { createEngine } from '../adapters/docker/engine.ts';
import { imageStore } from '../adapters/docker/images.ts';
import { registryPasswords } from '../adapters/docker/logins.ts';
import { dockerRuntime } from '../adapters/docker/runtime.ts';
import { baselineFiles } from '../adapters/files/baseline-files.ts';
import { machineLock } from '../adapters/files/machine-lock.ts';
import { usualHistory } from '../adapters/files/record-history.ts';
import { openRunStore } from '../adapters/files/run-store.ts';
import { createGeneratorRunner } from '../adapters/generators/runner.ts';
import { gitRepositories } from '../adapters/git/repository.ts';
import { readWorkflow } from '../adapters/git/workflow.ts';
import { createBodySearch } from '../adapters/http/body-search.ts';
import { createHttpProbe } from '../adapters/http/probe.ts';
import { createClock } from '../adapters/machine/clock.ts';
import { readEngineOpenFiles } from '../adapters/machine/engine.ts';
import { readEnvironment } from '../adapters/machine/environment.ts';
import { gatherFacts } from '../adapters/machine/facts.ts';
import { createPortMeter } from '../adapters/machine/ports.ts';
import { readSource } from '../adapters/machine/source.ts';
import { setForRun } from '../adapters/machine/sysctls.ts';
import { stayOn } from '../adapters/process/own-affinity.ts';
import { checkTemporaryFolder } from '../adapters/process/temporary-folder.ts';
import { processRuntime } from '../adapters/process-runtime/runtime.ts';
import { createRequestFiles } from '../adapters/project/request-files.ts';
import { createCpuMeter } from '../adapters/sampling/cpu-meter.ts';
import { readCpuTopology } from '../adapters/sampling/cpu-topology.ts';
import { perfSyscallCounter } from '../adapters/sampling/perf-syscalls.ts';
import { progressOn } from '../adapters/terminal/progress.ts';
import type { BaselineAdapters } from '../app/baseline/baseline-plan.ts';
import type { RecordHistory } from '../app/ports/baselines.ts';
import type { CallerVariables } from '../app/ports/caller-variables.ts';
import type { GeneratorRunner } from '../app/ports/generators.ts';
import type { RunStore } from '../app/ports/run-store.ts';
import type { AnchoredAdapters } from '../app/run/anchored-run.ts';
import type { Machine } from '../app/run/run.ts';
import { isUndisturbed } from '../core/doctor/disturbance.ts';
import { GENERATOR_NAMES, type GeneratorName } from '../core/generators/registry.ts';
import { placementOf, placementWarnings } from '../core/topology/placement.ts';

declare const WRKBENCH_VERSION: string;

/** Seconds that CPU steal and other load are watched before a run that somebody disturbs. */
const WATCH_SECONDS = 1;
/** What is quiet for so long is quiet: each trial tells of what comes later. */
const QUIET_SECONDS = 0.4;

/**
 * Everything real that a run stands on. `out` is absolute; throws `StoreError` where it cannot be the run's folder, and
 * `TemporaryFolderFailure` where there is none for what is temporary.
 * `history`: where earlier runs are; by default as `usualHistory` has it. `variables`: what specs may name of the caller's; by default all.
 */
export async function runAdapters(
  out: string,
  specDirectory: string,
  resume: boolean,
  history: RecordHistory = usualHistory(out, process.env),
  variables: CallerVariables = { value: (name) => process.env[name] },
): Promise<AnchoredAdapters> {
  const environment = process.env;
  await checkTemporaryFolder();
  const generators = createGeneratorRunner({ specDirectory });
  const progress = progressOn(process.stderr, environment);
  const warn = (text: string) => progress.warn(text);
  return {
    runtimes: {
      docker: dockerRuntime({ environment, mostOpenFiles: readEngineOpenFiles, warn }),
      process: processRuntime(),
    },
    baselines: await baselineAdapters(history),
    generators,
    probe: createHttpProbe(),
    bodySearch: createBodySearch(),
    requestFiles: createRequestFiles(specDirectory),
    cpus: createCpuMeter(),
    ports: createPortMeter(),
    syscalls: perfSyscallCounter(),
    clock: createClock(),
    variables: { ...variables, passwords: await registryPasswords(environment) },
    store: await openRunStore(out, { resume }),
    storeInside: (name) => storeInside(path.join(out, name)),
    progress,
    lock: machineLock(),
    machine: machineOf(generators),
    assets: { pageScript },
    toolVersion: WRKBENCH_VERSION,
  };
}

async function storeInside(folder: string): Promise<{ store: RunStore; begun: boolean }> {
  const begun = existsSync(path.join(folder, 'journal.jsonl'));
  return { store: await openRunStore(folder, { resume: begun }), begun };
}

async function baselineAdapters(history: RecordHistory): Promise<BaselineAdapters> {
  return {
    repositories: gitRepositories(),
    images: imageStore(createEngine(process.env)),
    history,
    files: baselineFiles(),
    workflow: await readWorkflow(process.env),
  };
}

function machineOf(generators: GeneratorRunner): Machine {
  return {
    newRunId: (at) =>
      `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-${randomBytes(3).toString('hex')}`,
    newSeed: () => randomInt(2 ** 32),
    facts: (outputDirectory) =>
      gatherFacts({
        outputDirectory,
        sampleSeconds: WATCH_SECONDS,
        firstLook: { afterSeconds: QUIET_SECONDS, isEnough: isUndisturbed },
        signal: new AbortController().signal,
      }),
    async environment(spec, runtime, facts) {
      const versionsOf = GENERATOR_NAMES.map(async (name) => [name, await generators.version(name)] as const);
      // The engine has just been asked.
      const { engine } = facts;
      const isKnown = runtime.kind === 'docker' && engine.state === 'answers';
      const [docker, ...versions] = await Promise.all([isKnown ? engine.version : runtime.version(), ...versionsOf]);
      return {
        ...(await readEnvironment({
          ...(Object.fromEntries(versions) as Record<GeneratorName, string | null>),
          docker,
          postgres: runtime.kind === 'process' ? (facts.programs.postgres?.version ?? null) : null,
        })),
        runtime: runtime.kind,
        placement: placementOf(readCpuTopology(), spec.placement),
      };
    },
    stayOn,
    setForRun,
    placementWarnings: async (placement) => placementWarnings(readCpuTopology(), placement),
    source: (specFile) => readSource(path.dirname(specFile), process.env, path.basename(specFile)),
  };
}
