import type { JournalEntry } from '../../core/record/journal.ts';

/** A run's folder. Every method rejects with `StoreError` where the disk is full or may not be written. */
export interface RunStore {
  directory: string;
  journal: {
    /** Flushed to the disk when it resolves. */
    append(entry: JournalEntry): Promise<void>;
    /** Null where the folder holds none. */
    read(): Promise<JournalEntry[] | null>;
  };
  /** Writes `raw/NAME` and resolves to that path. */
  writeRaw(name: string, content: string): Promise<string>;
  /** Replaces a file of the folder whole: it is the old one or the new one, never half of it. */
  write(name: string, content: string): Promise<void>;
}

export class StoreError extends Error {
  override name = 'StoreError';
}
