import type { SearchResult } from '../../core/verification/expectation.ts';

/** Searches the body of an answer with a regular expression of the spec's author, which may take for ever. */
export interface BodySearch {
  /** Holds up nothing else meanwhile. Rejects only with the signal's reason when aborted. */
  search(expression: string, body: string, signal: AbortSignal): Promise<SearchResult>;
}
