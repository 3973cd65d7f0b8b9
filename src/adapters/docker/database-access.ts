import type { PlaceholderValues } from '../../core/config/placeholders.ts';

/** Where the service finds its database: the pooler where there is one. */
export interface DatabaseAccess {
  host: string;
  placeholders: PlaceholderValues;
  /** Resolves when queries are answered there, whoever asked first. */
  ready(signal: AbortSignal): Promise<void>;
  /** Resolves when a pooler passes queries on, also once more. */
  passes(signal: AbortSignal): Promise<void>;
}
