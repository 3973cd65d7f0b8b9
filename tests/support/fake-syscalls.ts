import type { SyscallCounter } from '../../src/app/ports/syscalls.ts';

/** Counts what it was told, one figure for each window and from the start again; null is a machine that cannot count, and says nothing. */
export function fakeSyscallCounter(windows: readonly number[] | null): SyscallCounter {
  let at = 0;
  return {
    obstacle: async () => null,
    async count(pids, during) {
      await during();
      if (windows === null || pids.length === 0) return null;
      at += 1;
      return windows[(at - 1) % windows.length] ?? null;
    },
  };
}
