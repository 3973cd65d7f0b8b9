import type { GeneratorName } from '../../core/generators/registry.ts';

/** Programs that generate load, and how they come onto this machine. */
export interface Toolbox {
  /** Brings what is not there yet. Rejects with `ToolMissing`. */
  bring(generators: readonly GeneratorName[], signal: AbortSignal): Promise<void>;
}

/** None of the ways to a program is open; the message says of each why. */
export class ToolMissing extends Error {
  override name = 'ToolMissing';
}
