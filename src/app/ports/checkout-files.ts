/** Files of a checkout, by paths relative to its top with `/` between their parts. */
export interface CheckoutFiles {
  /** All that are no repository's own and no dependency's. */
  list(): Promise<string[]>;
  /** Null where there is no such file, or it lies elsewhere by a link. */
  text(path: string): Promise<string | null>;
  /** What there is at a path, links followed wherever they lead; null where nothing is. */
  kind(path: string): Promise<'file' | 'folder' | null>;
  /** Whether a path, with all links followed, stays inside; true for what is not there. */
  staysInside(path: string): Promise<boolean>;
}
