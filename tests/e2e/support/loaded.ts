import { type ChildProcess, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIds, processStat, readProc } from '../../../src/adapters/process/process-table.ts';

/** Resolves when a step has started a wrk that loads a server. */
export async function loaded(step: ChildProcess): Promise<void> {
  const isLoading = (pid: number) => {
    const stat = processStat(pid);
    if (stat?.name !== 'wrk' || stat.parent !== step.pid) return false;
    return readProc(`/proc/${pid}/cmdline`)?.includes('http:') === true;
  };
  await until('no wrk was started', () => processIds().some(isLoading) || null);
}

/** Resolves to the name of the runner container that a step has called, when a wrk runs in it. */
export async function loadedRunnerContainer(ownerOfStep: () => string | undefined): Promise<string> {
  const name = await until('no runner container was started', () => {
    const owner = ownerOfStep();
    if (owner === undefined) return null;
    const filters = ['', 'elsewhere:'].map((prefix) => ['--filter', `label=wrkbench.owner=${prefix}${owner}`]);
    return (
      filters.map((filter) => output('docker', 'ps', ...filter, '--format', '{{.Names}}').trim()).find(Boolean) ?? null
    );
  });
  await until(`no wrk was started in ${name}`, () => /\/wrk .*http:/.test(output('docker', 'top', name)) || null);
  return name;
}

async function until<T>(otherwise: string, found: () => T | null): Promise<T> {
  const deadline = performance.now() + 90_000;
  for (;;) {
    const value = found();
    if (value !== null) return value;
    if (performance.now() > deadline) throw new Error(`${otherwise} in 90 s`);
    await sleep(50);
  }
}

const output = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8' }).stdout;
