export interface Clock {
  /** Monotonic, for every duration. */
  monotonicNs(): number;
  /** Of the calendar; may step. */
  now(): Date;
  /** Rejects with the signal's reason when aborted. */
  sleep(seconds: number, signal: AbortSignal): Promise<void>;
}

/** CPU time of whole CPUs, for what is used by nobody of ours. Synchronous and cheap. */
export interface CpuMeter {
  /**
   * Of the CPUs named, since boot: tasks of all the machine (interrupts left out), what the hypervisor took, and what
   * nobody used.
   */
  read(cpus: string): { busyNs: number; stealNs: number; idleNs: number };
  /** CPU time of wrkbench itself, without its children. */
  ownNs(): number;
  /** How many CPUs a list in the kernel's notation names. */
  count(cpus: string): number;
}

/** Local ports for outgoing connections: how many may not be taken again yet, or at most those, and how many there are. */
export interface PortMeter {
  read(): { timeWait: number; available: number };
}

/** Only one run measures on a machine at a time. */
export interface MachineLock {
  /** Waits for another run as long as it takes, or `mostSeconds`: then it rejects with `MachineBusy`. */
  acquire(
    runId: string,
    onWait: (holder: string) => void,
    signal: AbortSignal,
    mostSeconds?: number | null,
  ): Promise<{ release(): Promise<void> }>;
}

/** Another run measures, and went on for longer than this one was to wait; the message says who, and what to do. */
export class MachineBusy extends Error {
  override name = 'MachineBusy';
}

/** There is no folder for what is temporary; the message says which it should be, and how to name another one. */
export class TemporaryFolderFailure extends Error {
  override name = 'TemporaryFolderFailure';
  /** Of the system: `EROFS`. */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
