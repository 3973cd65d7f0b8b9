import type { GeneratorOutcome } from '../core/generators/outcome.ts';
import type { GeneratorName } from '../core/generators/registry.ts';
import { generators } from '../core/generators/registry.ts';

/** What `wrkbench parse` prints for one output of a generator. Throws `UnreadableOutput`, and nothing else. */
export function parseOutput(tool: GeneratorName, text: string): GeneratorOutcome {
  // Files that Windows tools have saved begin with a byte order mark.
  return generators[tool].parse(text.replace(/^\uFEFF/, ''));
}
