import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { releaseSharedMemory } from '../postgres/shared-memory.ts';
import { removeCgroups } from '../process/cgroup-tree.ts';
import { endAbandoned, processesIn } from '../process/ending.ts';
import { isProvenDead, ownerOfGroup } from '../process/owner.ts';
import type { ProcessStat } from '../process/process-table.ts';
import { markedProcesses } from '../process/process-tree.ts';
import { unprivilegedUser } from '../process/system-user.ts';
import { isAbandoned } from '../process/temporary-folder.ts';
import { FOLDER_PREFIX, folderParents, removeFolder } from '../process/testbed-folder.ts';

/**
 * Ends the processes and removes the folders of runs whose owner is proven dead. There is no list that could be lost or
 * out of date: each folder names its owner, each process is known by its mark, or by working in such a folder or writing
 * its log there (nginx and Postgres overwrite their environment). Resolves to a sentence for each thing removed.
 */
export async function sweepLeftovers(): Promise<string[]> {
  const folders = await abandonedFolders();
  const processes = new Map<number, ProcessStat>();
  for (const stat of markedProcesses((id) => isProvenDead(ownerOfGroup(id)))) processes.set(stat.pid, stat);
  for (const stat of processesIn(folders)) processes.set(stat.pid, stat);
  const sentences = await endAbandoned([...processes.values()]);
  for (const folder of folders) {
    await releaseSharedMemory(join(folder, 'data'), unprivilegedUser());
    removeFolder(folder);
    sentences.push(`Removed the folder ${folder}, left behind by a run that has ended.`);
  }
  removeCgroups((id) => isProvenDead(ownerOfGroup(id)));
  return sentences;
}

async function abandonedFolders(): Promise<string[]> {
  const found: string[] = [];
  for (const parent of folderParents()) {
    const folders = namesIn(parent).filter((name) => name.startsWith(FOLDER_PREFIX));
    for (const folder of folders.map((name) => join(parent, name))) if (await isAbandoned(folder)) found.push(folder);
  }
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
