import type { GeneratorOutcome } from '../../core/generators/outcome.ts';
import type { Case, GeneratorName } from '../../core/plan/case.ts';

export interface GeneratorRunner {
  /** Null where the generator is not to be found. */
  version(name: GeneratorName): Promise<string | null>;
  /** Runs one generator to its end. Rejects only when aborted or when it could not be started at all. */
  run(request: GeneratorRunRequest, signal: AbortSignal): Promise<GeneratorRun>;
  /**
   * A duet: both loads at the same time on the same CPUs, of the same generator, connections and rate. The first is
   * launched first, the second as soon after it as can be; each has a run of its own, also where one process serves both.
   * A side that fails lets the other come to its end. Rejects as `run` does, once nothing of either is left.
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
  durationSeconds: number;
  rate: number | null;
  /** CPUs in the kernel's notation; null leaves it where it is. */
  cpus: string | null;
  /** Called every 100 ms or so while the generator runs, with its CPU time so far. */
  onTick?(tick: { elapsedNs: number }): void;
  /** Called at the moment that its process has ended, however it did: what is read here is of the load and no more. */
  onEnd?(): void;
}

export interface GeneratorRun {
  outcome: GeneratorOutcome | null;
  /** Why there is no outcome: what the generator said. */
  failure: string | null;
  startedNs: number;
  durationNs: number;
  /** User and system time of the generator, all threads. */
  cpuNs: number;
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  /** Name → content of all it printed and left, as it came: what goes into `raw/`. */
  raw: Record<string, string>;
}
