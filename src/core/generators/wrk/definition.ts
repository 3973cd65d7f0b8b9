import type { GeneratorOutcome } from '../../measurement/outcome.ts';
import { type GeneratorDefinition, type GeneratorOutput, UnreadableOutput } from '../definition.ts';
import { requireExit } from '../exit.ts';
import { present } from '../figures.ts';
import { RESULT, wrkInvocation } from './invocation.ts';
import { parseWrkText } from './output.ts';
import { parseWrkResult } from './result.ts';

/** Closed loop, keep-alive as the case says, latencies corrected for coordinated omission by wrk itself. */
export const wrk: GeneratorDefinition = {
  name: 'wrk',
  // wrk prints its version and then its usage, and exits with 1.
  versionArguments: ['-v'],
  versionOf: (text) => /^wrk (?:[a-z]+\/)?(\S+)/m.exec(text)?.[1] ?? null,
  invocation: wrkInvocation,
  outcome,
  parse: parseWrkText,
};

/** The script's figures are exact; from the text comes what only stands there. One of the two is enough. */
function outcome(output: GeneratorOutput): GeneratorOutcome {
  requireExit('wrk', output, [0]);
  const exact = readable(() => parseWrkResult(output.files[RESULT] ?? ''));
  if (exact === null) return parseWrkText(output.stdout);
  const text = readable(() => parseWrkText(output.stdout));
  const { threads, connections, threadThroughput } = text ?? {};
  return { ...exact, ...present({ threads, connections, threadThroughput }) };
}

function readable(parse: () => GeneratorOutcome): GeneratorOutcome | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof UnreadableOutput) return null;
    throw error;
  }
}
