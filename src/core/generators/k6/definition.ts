import type { GeneratorOutcome } from '../../measurement/outcome.ts';
import { type GeneratorDefinition, type GeneratorOutput, UnreadableOutput } from '../definition.ts';
import { lastWords } from '../excerpt.ts';
import { requireExit } from '../exit.ts';
import { k6DuetInvocation } from './duet/invocation.ts';
import { outcomesOfSummary } from './duet/outcomes.ts';
import { k6Invocation, LOG } from './invocation.ts';
import { parseK6Summary } from './summary.ts';
import { SUMMARY } from './summary-writer.ts';
import { parseK6Text } from './text.ts';

/** 99 is a threshold of the user's own script that was crossed: all has been measured. */
const ACCEPTED = [0, 99];
const HINTS = {
  104: 'its settings are wrong',
  105: 'it was told to stop',
  107: 'the script threw',
  108: 'the script ended the test',
};

/** Open or closed loop, one virtual user for each connection, latencies without the time to connect. */
export const k6: GeneratorDefinition = {
  name: 'k6',
  versionArguments: ['version'],
  versionOf: (text) => /^k6(?:\.exe)? v?(\d\S*)/m.exec(text)?.[1] ?? null,
  invocation: k6Invocation,
  outcome,
  duet: { invocation: k6DuetInvocation, outcomes },
  parse,
};

function outcome(output: GeneratorOutput): GeneratorOutcome {
  const summary = summaryOf(output);
  return summary === null ? parse(output.stdout) : parseK6Summary(summary);
}

function outcomes(output: GeneratorOutput): [GeneratorOutcome, GeneratorOutcome] {
  const summary = summaryOf(output);
  if (summary === null) throw new UnreadableOutput('k6 came to its end and left no summary of the duet.');
  return outcomesOfSummary(summary);
}

function summaryOf(output: GeneratorOutput): string | null {
  const logged = lastWords(output.files[LOG] ?? '');
  requireExit('k6', { ...output, stderr: logged || output.stderr }, ACCEPTED, HINTS);
  return output.files[SUMMARY] ?? null;
}

/** The end-of-test text, or a summary as JSON. */
function parse(text: string): GeneratorOutcome {
  return text.trimStart().startsWith('{') ? parseK6Summary(text) : parseK6Text(text);
}
