import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { releaseSharedMemory } from '../postgres/shared-memory.ts';
import { removeMemoryLimits } from './memory-limit.ts';
import { isProvenDead } from './owner.ts';
import { type ProcessStat, processIds, processStat, readProc } from './process-table.ts';
import { isRunning, markedProcesses } from './process-tree.ts';
import { FOLDER_PREFIX, folderParents, removeFolder } from './stage-folder.ts';
import { OWNER_FILE } from './temporary-folder.ts';

/**
 * Ends the processes and removes the folders of runs whose owner is proven dead. There is no list that could be lost or
 * out of date: each folder names its owner, each process is known by its mark, or by working in such a folder or writing
 * its log there (nginx and Postgres overwrite their environment). Resolves to a sentence for each thing removed.
 */
export async function sweepLeftovers(): Promise<string[]> {
  const folders = abandonedFolders();
  const processes = new Map<number, ProcessStat>();
  for (const stat of markedProcesses((id) => isProvenDead(ownerOf(id)))) processes.set(stat.pid, stat);
  for (const stat of processesIn(folders)) processes.set(stat.pid, stat);
  processes.delete(process.pid);
  const sentences: string[] = [];
  for (const { pid, name } of processes.values()) {
    if (!kill(pid)) continue;
    sentences.push(`Ended process ${pid} (${name}), which a run that is no more had left behind.`);
  }
  await untilGone([...processes.values()]);
  for (const folder of folders) {
    await releaseSharedMemory(join(folder, 'data'));
    removeFolder(folder);
    sentences.push(`Removed the folder ${folder}, which a run that is no more had left behind.`);
  }
  removeMemoryLimits((id) => isProvenDead(ownerOf(id)));
  return sentences;
}

/** Ids of groups are `<owner>@<number>`. */
export function groupId(owner: string, number: number): string {
  return `${owner}@${number}`;
}

function ownerOf(id: string): string {
  return id.split('@')[0] ?? '';
}

function abandonedFolders(): string[] {
  const found: string[] = [];
  for (const parent of folderParents()) {
    for (const name of namesIn(parent)) {
      if (!name.startsWith(FOLDER_PREFIX)) continue;
      try {
        if (isProvenDead(readFileSync(join(parent, name, OWNER_FILE), 'utf8'))) found.push(join(parent, name));
      } catch {
        // Of another user, or just being made.
      }
    }
  }
  return found;
}

/** Running processes whose working folder or log lies in one of the folders. */
function processesIn(folders: string[]): ProcessStat[] {
  if (folders.length === 0) return [];
  const inside = (path: string | null) => path !== null && folders.some((folder) => path.startsWith(`${folder}/`));
  return processIds()
    .filter((pid) => [`cwd`, 'fd/1', 'fd/2'].some((link) => inside(linkOf(`/proc/${pid}/${link}`))))
    .map(processStat)
    .filter((stat) => stat !== null && isRunning(stat)) as ProcessStat[];
}

async function untilGone(processes: ProcessStat[]): Promise<void> {
  const deadline = performance.now() + 5_000;
  const runs = ({ pid, startTicks }: ProcessStat) => {
    const now = processStat(pid);
    return now !== null && now.startTicks === startTicks && isRunning(now) && readProc(`/proc/${pid}/stat`) !== null;
  };
  while (processes.some(runs) && performance.now() < deadline) await sleep(20);
}

function linkOf(path: string): string | null {
  try {
    // A folder itself counts as inside of itself.
    return `${readlinkSync(path)}/`;
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
