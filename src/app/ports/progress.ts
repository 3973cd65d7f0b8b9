/** What a run tells while it goes on. */
export interface Progress {
  /** A sentence for the reader. */
  say(text: string): void;
  /** Something to mend or to know, that does not end the run. */
  warn(text: string): void;
  /** A service's cases follow; `end` closes it. */
  begin(title: string): void;
  end(): void;
  /** Where the run is; replaces what was told last. */
  at(state: { done: number; total: number; what: string; remainingSeconds: number }): void;
  /** A case is measured. */
  measured(line: string): void;
}
