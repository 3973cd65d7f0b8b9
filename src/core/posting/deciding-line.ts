import { clippedLine } from '../report/comparison/clipped-text.ts';

/** What engines and builders say of themselves around a command that failed, and how often a spec is told that a log follows. */
const OF_THE_BUILDER =
  /^(?:-+$|#\d+ |>>> |ERROR: failed to |error: failed to solve|failed to solve|Dockerfile:\d+$|WARNING: |Step \d+|The command .* returned a non-zero code)|did not complete successfully|\bexit (?:code|status):? \d+$|^\s*(?:>+\s*)?\d+ \|/;
const SAYS_WHY =
  /\b(?:error|fatal|panic|cannot|could not|undefined|not found|no such|not set|missing|failed|denied|refused|exception)\b/i;

/**
 * The line that decides, of a reason whose message is a sentence and, under it, what a program printed last: the compiler's error, or
 * the last words of a service that exited. Where nothing was printed, the sentence.
 */
export function decidingLine(message: string): string {
  const [sentence = '', ...printed] = message.slice(0, 20_000).split(/\r?\n/);
  const said = printed.map((line) => line.trim()).filter((line) => line !== '' && !OF_THE_BUILDER.test(line));
  const why = said.findLast((line) => SAYS_WHY.test(line)) ?? said.at(-1);
  return clippedLine(why ?? sentence);
}

/** Whose it is, as a reason's sentence begins: `candidate: api: The service exited …` is `candidate: api`. Empty where it does not. */
export function ownerIn(message: string): string {
  return /^(?:(?:baseline|candidate): )?[\w.-]{1,100}(?=: )/.exec(message)?.[0] ?? '';
}
