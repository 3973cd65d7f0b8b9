import { processIds, processStat } from '../../../src/adapters/process/process-table.ts';

/** Kills a process and all that descend from it at once, as a runner does in the end. */
export function killTree(root: number): void {
  const stats = processIds().flatMap((pid) => processStat(pid) ?? []);
  const tree = new Set([root]);
  for (let found = 0; found < tree.size; ) {
    found = tree.size;
    for (const { pid, parent } of stats) if (tree.has(parent)) tree.add(pid);
  }
  for (const pid of tree) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
}
