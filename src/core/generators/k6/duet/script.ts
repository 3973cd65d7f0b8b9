import type { RequestParts } from '../../request.ts';
import { literal } from '../literal.ts';
import { asking } from '../script.ts';
import { handleSummary } from '../summary-writer.ts';
import { entering } from './entering.ts';
import { type DuetOptions, duetOptions } from './options.ts';
import { SIDES } from './sides.ts';

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
  const sides = SIDES.map(
    (side, index) => `
export function ${side}() {
  enter();
  ask(${literal(requests[index]!.url)});
}
`,
  );
  return `${asking({ ...parts, request: requests[0] })}
${entering(load, connections)}
export const options = ${literal(options)};
${sides.join('')}${handleSummary(parts.summaryPath, { duet: load })}`;
}
