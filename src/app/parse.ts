import type { GeneratorOutcome } from '../core/generators/outcome.ts';
import { generatorOf, refuseUtf16 } from '../core/generators/recognition.ts';
import type { GeneratorName } from '../core/generators/registry.ts';
import { generators } from '../core/generators/registry.ts';

/**
 * What `wrkbench parse` prints for one output of a generator; null where the text is to tell which one. Throws
 * `UnreadableOutput`, and nothing else.
 */
export function parseOutput(tool: GeneratorName | null, text: string): GeneratorOutcome<GeneratorName> {
  refuseUtf16(text);
  // Files that Windows tools have saved begin with a byte order mark.
  const output = text.replace(/^\uFEFF/, '');
  return generators[tool ?? generatorOf(output)].parse(output);
}
