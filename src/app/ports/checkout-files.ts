import type { FoundKind } from '../../core/config/named-files.ts';

/** Files of a checkout, by paths relative to its top with `/` between their parts. */
export interface CheckoutFiles {
  /** All that are no repository's own and no dependency's. */
  list(): Promise<string[]>;
  /** Null where there is no such file, it lies elsewhere by a link, or is no plain file. */
  text(path: string): Promise<string | null>;
  /** What there is at a path, links followed; null where nothing is. */
  kind(path: string): Promise<FoundKind | null>;
  /** Whether a path, with all links followed, stays inside; true for what is not there. */
  staysInside(path: string): Promise<boolean>;
}
