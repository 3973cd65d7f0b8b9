/** Counts the system calls of processes, by the kernel. */
export interface SyscallCounter {
  /** Why none can be counted on this machine and how they can be, as a sentence; null where they can. Asks the machine once. */
  obstacle(): Promise<string | null>;
  /**
   * The calls that these processes, and those that they start meanwhile, make while `during` runs, without those
   * that `syscallFilter` leaves out. Null where they could not be counted. Runs `during` once in any case, and rejects only as it does.
   */
  count(pids: readonly number[], during: () => Promise<void>): Promise<number | null>;
}
