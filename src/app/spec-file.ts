import { Refusal } from '../core/refusal.ts';
import { renderMistakes, SpecError } from '../core/spec/mistakes.ts';
import { readSpec } from '../core/spec/read.ts';
import type { ResolvedSpec } from '../core/spec/resolved.ts';

/** A spec with mistakes; the message shows each with its line, as a compiler does. */
export class WrongSpec extends Refusal {
  override name = 'WrongSpec';
}

/** The spec of a file's text. Throws `WrongSpec`. */
export function specOf(text: string, fileName: string): ResolvedSpec {
  try {
    return readSpec(text, fileName);
  } catch (error) {
    if (error instanceof SpecError) throw new WrongSpec(renderMistakes(error.mistakes, text));
    throw error;
  }
}
