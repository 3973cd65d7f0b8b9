import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * What runs that were started below `folder` have left: containers and networks of a run's id, and processes whose
 * working folder or command line names it. Empty where all is gone.
 */
export function leftovers(runId: string, folder: string): string[] {
  return [
    ...docker('ps', '-a', '--filter', `label=wrkbench.run=${runId}`, '--format', 'container {{.Names}}'),
    ...docker('network', 'ls', '--filter', `label=wrkbench.run=${runId}`, '--format', 'network {{.Name}}'),
    ...processesNaming(folder),
  ];
}

/** Containers and networks of any run, companions among them; of one owner where it is named. */
export function ownedByRuns(owner?: string): string[] {
  const label = `label=wrkbench.owner${owner === undefined ? '' : `=${owner}`}`;
  return [
    ...docker('ps', '-a', '--filter', label, '--format', 'container {{.Names}}'),
    ...docker('network', 'ls', '--filter', label, '--format', 'network {{.Name}}'),
  ];
}

/** A companion, and what it has started. */
export function ofCompanion(name: string): string[] {
  return [
    ...docker('ps', '-a', '--filter', `name=^${name}$`, '--format', 'container {{.Names}}'),
    ...ownedByRuns(`companion:${name}`),
  ];
}

function docker(...args: string[]): string[] {
  return execFileSync('docker', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

function processesNaming(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return command.includes(folder) || environment.includes(folder) ? [`process ${pid} ${command}`] : [];
      } catch {
        return [];
      }
    });
}
