import { randomBytes } from 'node:crypto';
import { dockerRuntime } from '../../adapters/docker/runtime.ts';
import { checkoutFiles } from '../../adapters/files/checkout-files.ts';
import { machineLock } from '../../adapters/files/machine-lock.ts';
import { createGeneratorRunner } from '../../adapters/generators/runner.ts';
import { createHttpProbe } from '../../adapters/http/probe.ts';
import { createClock } from '../../adapters/machine/clock.ts';
import { checkTemporaryFolder } from '../../adapters/process/temporary-folder.ts';
import { processRuntime } from '../../adapters/process-runtime/runtime.ts';
import { readCpuTopology } from '../../adapters/sampling/cpu-topology.ts';
import { progressOn } from '../../adapters/terminal/progress.ts';
import { TemporaryFolderFailure } from '../../app/ports/machine.ts';
import type { Measured, TriedSpec } from '../../app/run/attempt.ts';
import { measuredLoad } from '../../app/run/measured-load.ts';
import { runtimeFor, trySpec, untriedSpec } from '../../app/run/try-spec.ts';
import { readSpec } from '../../core/config/read.ts';
import type { SpecDraft } from '../../core/detection/proposal.ts';
import type { WantedRuntime } from '../../core/doctor/runtime.ts';
import { placementOf } from '../../core/topology/placement.ts';

/** More is nobody's document, and no answer that is worth measuring first. */
const ANSWER_BYTES = 4 * 1024 ** 2;

/** Starts what the drafts say and asks it. Rejects only with the signal's reason. */
export async function triedSpecs(
  folder: string,
  drafts: readonly SpecDraft[],
  wanted: WantedRuntime,
  signal: AbortSignal,
): Promise<TriedSpec[]> {
  const lack = await checkTemporaryFolder().then(() => null, noTemporaryFolder);
  if (lack !== null) return drafts.map((draft) => untriedSpec(draft, lack));
  const tried: TriedSpec[] = [];
  for (const draft of drafts) tried.push(await triedSpec(folder, draft, wanted, signal));
  return tried;
}

function noTemporaryFolder(error: unknown): string {
  if (!(error instanceof TemporaryFolderFailure)) throw error;
  return error.message.replace(/\.$/, '');
}

async function triedSpec(
  folder: string,
  draft: SpecDraft,
  wanted: WantedRuntime,
  signal: AbortSignal,
): Promise<TriedSpec> {
  const progress = progressOn(process.stderr, process.env);
  const runId = `init-${randomBytes(3).toString('hex')}`;
  const spec = readSpec(draft.content, draft.path);
  const runtimes = { docker: dockerRuntime({ environment: process.env }), process: processRuntime() };
  const runtime = await runtimeFor(spec, wanted, runtimes);
  if (typeof runtime === 'string') return untriedSpec(draft, runtime);
  const held = await machineLock().acquire(
    runId,
    (holder) =>
      progress.say(
        `Waiting for another run to end, since two at a time would measure each other: ${holder}. With --no-try nothing is started.`,
      ),
    signal,
  );
  try {
    const topology = readCpuTopology();
    const placement = placementOf(topology, spec.placement);
    const clock = createClock();
    const probe = createHttpProbe({ answerBytes: ANSWER_BYTES });
    const loading = { generators: createGeneratorRunner({ specDirectory: folder }), probe, clock, progress };
    const measured: Measured = (testbed, asked, linked) =>
      measuredLoad(testbed, { spec, ...asked, placement, cpus: topology.cpus.length }, loading, linked);
    const adapters = { runtime, probe, clock, progress };
    const { list } = checkoutFiles(folder);
    const isRuntimeNamed = wanted !== 'auto';
    const request = { runId, draft, specDirectory: folder, list, placement, isRuntimeNamed, measured };
    return await trySpec(request, adapters, signal);
  } finally {
    await held.release();
  }
}
