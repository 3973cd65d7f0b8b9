import script from '../../../../../templates/k6/duet.k6.js';
import { filled } from '../../../format/template.ts';
import { literal } from '../literal.ts';
import { type AskedRequest, askExpression, asking } from '../script.ts';
import { handleSummary } from '../summary-writer.ts';
import { entering } from './entering.ts';
import { type DuetOptions, duetOptions } from './options.ts';

export interface DuetScriptParts extends DuetOptions {
  requests: readonly [AskedRequest, AskedRequest];
  /** Where the summary goes; absolute. */
  summaryPath: string;
}

/** The script of a duet: an exported function for each side, which k6 calls for each iteration of its scenario. */
export function k6DuetScript(parts: DuetScriptParts): string {
  const { requests, load, connections, timeoutSeconds } = parts;
  const options = { ...duetOptions(parts), discardResponseBodies: true };
  const [first, second] = requests;
  return filled(script, {
    '// __ASKING__\n': `${asking(requests)}\n`,
    '// __ENTERING__\n': `${entering(load, connections)}\n`,
    __OPTIONS__: literal(options),
    __ASK_FIRST__: askExpression(first, timeoutSeconds),
    __ASK_SECOND__: askExpression(second, timeoutSeconds),
    '// __SUMMARY__\n': handleSummary(parts.summaryPath, literal({ duet: load })),
  });
}
