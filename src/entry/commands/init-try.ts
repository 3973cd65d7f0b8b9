import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { dockerRuntime } from '../../adapters/docker/runtime.ts';
import { machineLock } from '../../adapters/files/machine-lock.ts';
import { writeTextDocument } from '../../adapters/files/text-document.ts';
import { createBodySearch } from '../../adapters/http/body-search.ts';
import { createHttpProbe } from '../../adapters/http/probe.ts';
import { checkTemporaryFolder } from '../../adapters/process/temporary-folder.ts';
import { processRuntime } from '../../adapters/process-runtime/runtime.ts';
import { readCpuTopology } from '../../adapters/sampling/cpu-topology.ts';
import { progressOn } from '../../adapters/terminal/progress.ts';
import { runtimeFor, type TriedService, trySpec } from '../../app/run/try-spec.ts';
import { readSpec } from '../../core/config/read.ts';
import type { RepositoryFile } from '../../core/detection/proposal.ts';
import { withoutEndpoints, withServiceRemarks } from '../../core/detection/tried-text.ts';
import type { WantedRuntime } from '../../core/doctor/runtime.ts';
import { counted } from '../../core/format/figures.ts';
import { placementOf } from '../../core/topology/placement.ts';
import { EXIT } from '../failure.ts';
import { interruption } from '../interruption.ts';
import { print } from '../output.ts';

/** Starts what was written, and writes into each spec what did not answer as expected. Exit status 1 where anything did not. */
export async function trySpecs(
  folder: string,
  specs: readonly RepositoryFile[],
  wanted: WantedRuntime,
): Promise<number> {
  const { signal, release } = interruption();
  try {
    await checkTemporaryFolder();
    let isAsExpected = true;
    for (const spec of specs) {
      const tried = await tryOne(folder, spec, wanted, signal);
      const text = remarked(spec.content, tried);
      if (text !== spec.content) {
        isAsExpected = false;
        await writeTextDocument(path.join(folder, spec.path), text);
      }
      print(triedText(spec.path, tried));
    }
    return isAsExpected ? EXIT.done : EXIT.gateFailed;
  } catch (error) {
    if (!signal.aborted) throw error;
    return EXIT.interrupted;
  } finally {
    release();
  }
}

async function tryOne(
  folder: string,
  { path: file, content }: RepositoryFile,
  wanted: WantedRuntime,
  signal: AbortSignal,
): Promise<TriedService[]> {
  const progress = progressOn(process.stderr, process.env);
  const runId = `init-${randomBytes(3).toString('hex')}`;
  const spec = readSpec(content, file);
  const runtimes = { docker: dockerRuntime({ environment: process.env }), process: processRuntime() };
  const runtime = await runtimeFor(spec, wanted, runtimes);
  const held = await machineLock().acquire(
    runId,
    (holder) =>
      progress.say(`Waiting for another run to end, since two at a time would measure each other: ${holder}.`),
    signal,
  );
  try {
    const placement = placementOf(readCpuTopology(), spec.placement);
    const adapters = { runtime, probe: createHttpProbe(), bodySearch: createBodySearch(), progress };
    return await trySpec({ runId, spec, specDirectory: folder, placement }, adapters, signal);
  } finally {
    await held.release();
  }
}

function remarked(content: string, tried: readonly TriedService[]): string {
  const failed = tried.flatMap(({ service, failure }) => (failure === null ? [] : [{ name: service, why: failure }]));
  const unexpected = new Map(tried.flatMap((each) => [...each.unexpected]));
  const isAll = tried.every(({ answered }) => answered.length === 0);
  const remarks = [...unexpected].map(([name, why]) => ({ name, why }));
  return withServiceRemarks(withoutEndpoints(content, remarks, isAll), failed);
}

function triedText(file: string, tried: readonly TriedService[]): string {
  const lines = tried.flatMap(({ service, failure, answered, unexpected }) => [
    failure === null
      ? `${service} is up: ${counted(answered.length, 'endpoint')} answered as expected, ${unexpected.size} did not.`
      : failure,
    ...[...unexpected].map(([name, why]) => `  ${name}: ${why}`),
  ]);
  const isChanged = tried.some(({ failure, unexpected }) => failure !== null || unexpected.size > 0);
  return `${lines.join('\n')}\n${isChanged ? `${file} has the reasons beside what did not answer: correct it there.\n` : ''}`;
}
