import { UnreadableOutput } from '../definition.ts';
import { beginningOf } from '../excerpt.ts';
import type { GeneratorOutcome } from '../outcome.ts';
import { outcomeOfMetrics } from './metrics.ts';
import { oneRunOf } from './runs.ts';
import { durationMs, MARK } from './values.ts';

/** k6 draws its progress once more when all is done, with a tick or a cross; before, with others of its marks or with none. */
const FINISHED = new RegExp(String.raw`^running \(([\dhm.]+s)\),[^\n]*\n[^\n]*[^\s] (?![↓•])${MARK} \[`, 'gm');
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences.
const COLOUR = /\x1b\[[0-9;]*[A-Za-z]/g;

/** Reads the text that k6 prints at its end. Throws `UnreadableOutput`, and nothing else. */
export function parseK6Text(coloured: string): GeneratorOutcome<'k6'> {
  const run = oneRunOf(coloured.replaceAll(COLOUR, ''));
  if (run === null) {
    throw new UnreadableOutput(
      `This is not a whole output of k6: no line “http_reqs....: …” is in it, and ${beginningOf(coloured.replaceAll(COLOUR, ''))}. Give the summary that k6 prints to standard output at its end, or its JSON.`,
    );
  }
  const ms = durationMs([...run.text.matchAll(FINISHED)].at(-1)?.[1] ?? '');
  return outcomeOfMetrics(run.metrics, ms === undefined || ms === 0 ? undefined : ms / 1000);
}
