import type { Variant } from '../../core/measurement/names.ts';

/** What a run tells while it goes on. */
export interface Progress {
  /** A sentence for the reader. */
  say(text: string): void;
  /** Something to mend or to know, that does not end the run. */
  warn(text: string): void;
  /** A service's cases follow; `end` closes it. */
  begin(title: string): void;
  end(): void;
  /** Where the run is; replaces what was told last. `remainingSeconds` is null while nobody knows. */
  at(state: { done: number; total: number; what: string; remainingSeconds: number | null }): void;
  /** What a side is busy with meanwhile, in place of where the run is; replaces what it was busy with, and null ends that. */
  busy(side: BusySide, task: BusyTask | null): void;
  /** A case is measured. */
  measured(line: string): void;
}

/** Null where there is one. */
export type BusySide = Variant | null;

/** What takes so long that nobody knows how long it will be. */
export interface BusyTask {
  /** `preparing web` */
  title: string;
  /** `step 1 of 3, job: manage.py migrate` */
  what: string;
  /** How far it is: `120 of 300`. */
  count?: string;
  /** Comes again and again: a log has it only where it took long. */
  isFrequent?: boolean;
}
