import type { Case } from '../../core/config/case.ts';
import type { GeneratorOutcome } from '../../core/generators/outcome.ts';
import type { GeneratorName } from '../../core/generators/registry.ts';
import type { Turn } from '../../core/requests/turn.ts';

export interface GeneratorRunner {
  /** Null where the generator is not to be found. */
  version(name: GeneratorName): Promise<string | null>;
  /** Runs one generator to its end. Rejects only when aborted or when it could not be started at all. */
  run(request: GeneratorRunRequest, signal: AbortSignal): Promise<GeneratorRun>;
  /**
   * A duet: both loads at the same time on the same CPUs, of the same generator, connections and rate. Where a generator
   * can wait, both loads begin when both are ready, else as soon after each other as can be; the first begins first. Each
   * has a run of its own, also where one process serves both. A side that fails lets the other come to its end. Rejects as
   * `run` does, once nothing of either is left.
   */
  runTogether(
    requests: readonly [GeneratorRunRequest, GeneratorRunRequest],
    signal: AbortSignal,
  ): Promise<[GeneratorRun, GeneratorRun]>;
}

/** The generator could not be started as asked: no program, no permission. The message is a sentence for people. */
export class GeneratorNotStarted extends Error {
  override name = 'GeneratorNotStarted';
}

export interface GeneratorRunRequest {
  case: Case;
  origin: string;
  /** Folder that a script of the user's is relative to, absolute, before that of the spec. */
  scriptDirectory?: string;
  /** In tenths of a second for wrk and k6, in whole ones for ab. */
  durationSeconds: number;
  rate: number | null;
  /** Of requests that differ it says where this trial begins; absent, it begins with the first. */
  turn?: Turn;
  /** CPUs in the kernel's notation; null leaves it where it is. */
  cpus: string | null;
  /**
   * Called while the generator starts up, of a duet by both: no load begins before it has resolved. One whose load begins with its process
   * is started after it. A run whose `beforeLoad` rejects does too, and has sent nothing.
   */
  beforeLoad?(): Promise<void>;
  /**
   * Called right before the load begins, of a duet both before either begins: how the generator starts up is no part of
   * what is read from here on. Not called where no load of the trial got that far.
   */
  onStart?(): void;
  /** Called every 100 ms or so during the load. */
  onTick?(tick: { elapsedNs: number }): void;
  /** Called at the moment that its load has ended, or its process, however it did: what is read here is of the load and no more. */
  onEnd?(): void;
  /**
   * Called once all loads of the trial have ended, where the generator can keep its connections open from then on: they are closed
   * when it resolves. Until then the server answers the last requests as it did all others. A run whose `whileOpen` rejects does too.
   */
  whileOpen?(): Promise<void>;
}

export interface GeneratorRun {
  outcome: GeneratorOutcome<GeneratorName> | null;
  /** Why there is no outcome: what the generator said. */
  failure: string | null;
  /** When the load began; that of the process where it got no further. */
  startedNs: number;
  /** From there to the end of the load, where the generator says when that is, else of the process. */
  durationNs: number;
  /** User and system time of the generator meanwhile, all threads. */
  cpuNs: number;
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  /** Name → content of all it printed and left, as it came: what goes into `raw/`. */
  raw: Record<string, string>;
}
