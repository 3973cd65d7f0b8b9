import type { Selection } from '../../core/config/selection.ts';
import type { RunRecord } from '../../core/record/run-record.ts';

/** Images that a container engine holds. */
export interface ImageStore {
  /** False too where no engine answers. */
  has(reference: string): Promise<boolean>;
}

/**
 * Records of earlier runs. Those that ended early do not count, nor those of less than what is asked for (`covers`), which would make
 * the rest seem to be new; null asks for any.
 */
export interface RecordHistory {
  /**
   * The record of a spec that is nearest in `ancestors` (nearest first), or the last one where the commit of neither is
   * known. Null where there is none.
   */
  latest(specName: string, ancestors: string[], asked: Selection | null): Promise<RunRecord | null>;
  /** All of a spec, in no particular order. */
  all(specName: string, asked: Selection | null): AsyncIterable<RunRecord>;
  /** Why some may be there that are not known here, so far as was asked; null where all are. */
  warning(): string | null;
  /** Where they are looked for, for a sentence. */
  place: string;
}

/** Files that a baseline is read from. */
export interface BaselineFiles {
  /** Null where there is no such file. */
  text(path: string): Promise<string | null>;
  /** Hash of the content; null where it cannot be read. */
  hash(path: string): Promise<string | null>;
  /** Paths of what goes with a generator's script, `script` and they being relative to the folder. */
  companions(folder: string, script: string, generator: string): Promise<string[]>;
  /** Whether there is a file or folder. */
  exists(path: string): Promise<boolean>;
  /** Paths of the files below a folder, relative to it; see `CheckoutFiles`. */
  list(folder: string): Promise<string[]>;
}
