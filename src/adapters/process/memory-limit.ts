import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CGROUPS, isUnified, makeCgroup, removeFolder } from './cgroup-tree.ts';

/** A cgroup that holds the processes of one part to a limit. */
export interface MemoryLimit {
  /** File that a process writes its id to before it becomes the part. */
  joinFile: string;
  /** Processes that the kernel has ended here because the limit was reached. */
  outOfMemoryKills(): number;
  /** Removes it, once its processes are gone; never throws. */
  remove(): void;
}

/** Null where this user may not make one: then no limit is kept. */
export function createMemoryLimit(name: string, bytes: number): MemoryLimit | null {
  try {
    return isUnified() ? createV2(name, bytes) : createV1(name, bytes);
  } catch {
    return null;
  }
}

/** True where a limit can be kept: root, or a cgroup tree that this user may write to. */
export function canLimitMemory(): boolean {
  const limit = createMemoryLimit(`probe-${process.pid}`, 64 * 1024 ** 2);
  limit?.remove();
  return limit !== null;
}

function createV1(name: string, bytes: number): MemoryLimit {
  const path = makeCgroup(CGROUPS.memory, name);
  writeFileSync(join(path, 'memory.limit_in_bytes'), String(bytes));
  // With swap the limit would be one on speed. The file is absent where the kernel does not account swap.
  const withSwap = join(path, 'memory.memsw.limit_in_bytes');
  if (existsSync(withSwap)) writeFileSync(withSwap, String(bytes));
  return limitAt(path, 'memory.oom_control');
}

function createV2(name: string, bytes: number): MemoryLimit {
  const base = makeCgroup(CGROUPS.unified);
  for (const folder of [CGROUPS.unified, base]) appendFileSync(join(folder, 'cgroup.subtree_control'), '+memory');
  const path = makeCgroup(CGROUPS.unified, name);
  writeFileSync(join(path, 'memory.max'), String(bytes));
  const swap = join(path, 'memory.swap.max');
  if (existsSync(swap)) writeFileSync(swap, '0');
  return limitAt(path, 'memory.events');
}

function limitAt(path: string, eventsFile: string): MemoryLimit {
  let kills = 0;
  return {
    joinFile: join(path, 'cgroup.procs'),
    outOfMemoryKills() {
      try {
        kills = Number(/^oom_kill (\d+)/m.exec(readFileSync(join(path, eventsFile), 'utf8'))?.[1] ?? kills);
      } catch {
        // Removed already: what was read last still holds.
      }
      return kills;
    },
    remove() {
      this.outOfMemoryKills();
      removeFolder(path);
    },
  };
}
