import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isProvenDead } from '../../../src/adapters/process/owner.ts';
import { cgroupsOfRun } from '../../support/cgroup-folders.ts';

/**
 * What runs that were started below `folder` have left: containers, networks, volumes and cgroups of a run's id, processes whose
 * environment or command line names it, generators, worktrees of its repository, and temporary folders. Empty where all is gone.
 */
export function leftovers(runId: string, folder: string): string[] {
  return [
    ...docker('ps', '-a', '--filter', `label=wrkbench.run=${runId}`, '--format', 'container {{.Names}}'),
    ...docker('network', 'ls', '--filter', `label=wrkbench.run=${runId}`, '--format', 'network {{.Name}}'),
    ...docker('volume', 'ls', '--filter', `label=wrkbench.run=${runId}`, '--format', 'volume {{.Name}}'),
    ...cgroupsOfRun(runId).map((folder) => `cgroup ${folder}`),
    ...processesNaming(folder),
    ...generatorsLeft(),
    ...worktreesOf(folder),
    ...abandonedFolders(),
  ];
}

/** Of whichever run: they work in a folder of its own, whose owner runs no more or which is gone. */
function generatorsLeft(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const at = readlinkSync(`/proc/${pid}/cwd`);
        const left = at.includes('/wrkbench-load-') && (at.endsWith(' (deleted)') || isProvenDead(ownerIn(at)));
        return left ? [`generator ${pid} in ${at}`] : [];
      } catch {
        return [];
      }
    });
}

/** Beside the checkout itself. */
export function worktreesOf(folder: string): string[] {
  if (!existsSync(path.join(folder, '.git'))) return [];
  const listed = execFileSync('git', ['-C', folder, 'worktree', 'list', '--porcelain'], { encoding: 'utf8' });
  return (listed.match(/^worktree .*$/gm) ?? []).slice(1);
}

/** Temporary folders, of whichever run, whose owner runs no more. */
export function abandonedFolders(): string[] {
  return [tmpdir(), '/dev/shm'].flatMap((parent) =>
    readdirSync(parent)
      .filter((name) => name.startsWith('wrkbench-'))
      .flatMap((name) => (isProvenDead(ownerIn(path.join(parent, name))) ? [`folder ${path.join(parent, name)}`] : [])),
  );
}

/** '' where the folder names none, or has just gone. */
function ownerIn(folder: string): string {
  try {
    return readFileSync(path.join(folder, 'owner'), 'utf8');
  } catch {
    return '';
  }
}

/** Containers, networks and volumes of any run, runner containers among them; of one owner where it is named. */
export function ownedByRuns(owner?: string): string[] {
  const label = `label=wrkbench.owner${owner === undefined ? '' : `=${owner}`}`;
  return [
    ...docker('ps', '-a', '--filter', label, '--format', 'container {{.Names}}'),
    ...docker('network', 'ls', '--filter', label, '--format', 'network {{.Name}}'),
    ...docker('volume', 'ls', '--filter', label, '--format', 'volume {{.Name}}'),
  ];
}

/** A runner container, and what it has started. */
export function ofRunnerContainer(name: string): string[] {
  return [
    ...docker('ps', '-a', '--filter', `name=^${name}$`, '--format', 'container {{.Names}}'),
    ...ownedByRuns(`runner-container:${name}`),
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
