import type { GeneratorOutcome } from '../../measurement/outcome.ts';
import type { GeneratorDefinition, GeneratorOutput } from '../definition.ts';
import { requireExit } from '../exit.ts';
import { abInvocation, PERCENTILES } from './invocation.ts';
import { parseAbText } from './output.ts';
import { parseAbPercentiles } from './percentiles.ts';

/** Closed loop over HTTP/1.0, a number of requests instead of a duration, latencies with the time to connect. */
export const ab: GeneratorDefinition = {
  name: 'ab',
  versionArguments: ['-V'],
  versionOf: (text) => /^This is ApacheBench, Version (\S+)/m.exec(text)?.[1] ?? null,
  invocation: abInvocation,
  outcome,
  parse: parseAbText,
};

/** The text, with the percentiles of its table replaced by finer ones where ab wrote them. */
function outcome(output: GeneratorOutput): GeneratorOutcome {
  requireExit('ab', output, [0]);
  const printed = parseAbText(output.stdout);
  const finer = parseAbPercentiles(output.files[PERCENTILES] ?? '', printed.requests ?? 0);
  return printed.latencyMs === undefined ? printed : { ...printed, latencyMs: { ...printed.latencyMs, ...finer } };
}
