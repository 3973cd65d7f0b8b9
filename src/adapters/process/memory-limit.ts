import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const V1 = '/sys/fs/cgroup/memory';
const V2 = '/sys/fs/cgroup';
/** Each cgroup below it is named after its owner, so that a later start knows whose it was. */
const FOLDER = 'wrkbench-processes';

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
    return existsSync(join(V2, 'cgroup.controllers')) ? createV2(name, bytes) : createV1(name, bytes);
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

/** Removes the empty cgroups that fit. */
export function removeMemoryLimits(fits: (name: string) => boolean): void {
  for (const base of [join(V1, FOLDER), join(V2, FOLDER)]) {
    for (const name of foldersOf(base)) if (fits(name)) removeFolder(join(base, name));
  }
}

function createV1(name: string, bytes: number): MemoryLimit {
  const path = join(V1, FOLDER, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'memory.limit_in_bytes'), String(bytes));
  // With swap the limit would be one on speed. The file is absent where the kernel does not account swap.
  const withSwap = join(path, 'memory.memsw.limit_in_bytes');
  if (existsSync(withSwap)) writeFileSync(withSwap, String(bytes));
  return limitAt(path, 'memory.oom_control');
}

function createV2(name: string, bytes: number): MemoryLimit {
  const base = join(V2, FOLDER);
  mkdirSync(base, { recursive: true });
  for (const folder of [V2, base]) appendFileSync(join(folder, 'cgroup.subtree_control'), '+memory');
  const path = join(base, name);
  mkdirSync(path, { recursive: true });
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

function foldersOf(base: string): string[] {
  try {
    return readdirSync(base, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

function removeFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Still in use, or gone.
  }
}
