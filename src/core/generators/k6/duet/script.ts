import script from '../../../../../templates/k6/duet.k6.js';
import { filled } from '../../../format/template.ts';
import type { RequestParts } from '../../request.ts';
import { literal } from '../literal.ts';
import { asking } from '../script.ts';
import { handleSummary } from '../summary-writer.ts';
import { entering } from './entering.ts';
import { type DuetOptions, duetOptions } from './options.ts';

export interface DuetScriptParts extends DuetOptions {
  /** They differ in their URLs. */
  requests: readonly [RequestParts, RequestParts];
  expectedStatus: number;
  /** Where the summary goes; absolute. */
  summaryPath: string;
}

/** The script of a duet: an exported function for each side, which k6 calls for each iteration of its scenario. */
export function k6DuetScript(parts: DuetScriptParts): string {
  const { requests, load, connections } = parts;
  const options = { ...duetOptions(parts), discardResponseBodies: true };
  const [first, second] = requests;
  return filled(script, {
    '// __ASKING__\n': `${asking({ ...parts, request: first })}\n`,
    '// __ENTERING__\n': `${entering(load, connections)}\n`,
    __OPTIONS__: literal(options),
    __FIRST_URL__: literal(first.url),
    __SECOND_URL__: literal(second.url),
    '// __SUMMARY__\n': handleSummary(parts.summaryPath, { duet: load }),
  });
}
