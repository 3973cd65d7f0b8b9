import { renderDiagnostics, SpecError } from '../core/config/diagnostics.ts';
import { readSpec } from '../core/config/read.ts';
import type { ResolvedSpec } from '../core/config/resolved.ts';
import { UserError } from '../core/user-error.ts';

/** A spec with mistakes; the message shows each with its line, as a compiler does. */
export class WrongSpec extends UserError {
  override name = 'WrongSpec';
}

/** The spec of a file's text. Throws `WrongSpec`. */
export function specOf(text: string, fileName: string): ResolvedSpec {
  try {
    return readSpec(text, fileName);
  } catch (error) {
    if (error instanceof SpecError) throw new WrongSpec(renderDiagnostics(error.diagnostics, text));
    throw error;
  }
}
