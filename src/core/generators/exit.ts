import { type GeneratorOutput, UnreadableOutput } from './definition.ts';
import { lastWords } from './excerpt.ts';

/** Throws `UnreadableOutput` with what the generator said, where its exit status says that it did not measure. */
export function requireExit(name: string, output: GeneratorOutput, accepted: number[], hints: ExitHints = {}): void {
  const { exitCode } = output;
  if (exitCode !== null && accepted.includes(exitCode)) return;
  const said = lastWords(output.stderr) || lastWords(output.stdout) || 'nothing at all';
  const hint = exitCode === null ? undefined : hints[exitCode];
  throw new UnreadableOutput(
    `${name} ended ${exitCode === null ? 'without an exit status' : `with exit status ${exitCode}`}${hint === undefined ? '' : ` (${hint})`} and said: ${said}`,
  );
}

/** Exit status → what the generator means by it. */
export type ExitHints = Record<number, string>;
