import mergedOptions from '../../../../../templates/k6/merged.k6.js';
import script from '../../../../../templates/k6/user-script-duet.k6.js';
import { filled } from '../../../format/template.ts';
import { literal } from '../literal.ts';
import { handleSummary } from '../summary-writer.ts';
import { OWN_LOAD } from '../template.ts';
import { entering } from './entering.ts';
import { duetOptions } from './options.ts';
import type { DuetScriptParts } from './script.ts';
import { SIDES, type Side } from './sides.ts';

export interface DuetTemplateParts extends DuetScriptParts {
  template: string;
  /** What a script finds in `__ENV`, by side. */
  env: readonly [Record<string, string>, Record<string, string>];
}

const templateFile = (side: Side) => `template-${side}.js`;
const environmentFile = (side: Side) => `environment-${side}.js`;

/**
 * A user's script for both sides: two modules of the same text, each of which sees its own side's `__ENV`, also where it
 * reads it before its first iteration. Name → content, without the script itself.
 */
export function duetTemplateFiles({ template, env }: DuetTemplateParts): Record<string, string> {
  const files = SIDES.flatMap((side, index) => [
    [environmentFile(side), `globalThis.__ENV = Object.assign({}, globalThis.__ENV, ${literal(env[index])});\n`],
    [templateFile(side), template],
  ]);
  return Object.fromEntries(files);
}

/** The script that imports them. Modules are evaluated in the order of their imports. */
export function k6DuetTemplateScript(parts: DuetTemplateParts): string {
  const { load, connections } = parts;
  const ownLoad = OWN_LOAD.map((name) => `given.${name}`).join(' || ');
  return filled(script, {
    __FIRST_ENVIRONMENT__: environmentFile('first'),
    __FIRST_TEMPLATE__: templateFile('first'),
    __SECOND_ENVIRONMENT__: environmentFile('second'),
    __SECOND_TEMPLATE__: templateFile('second'),
    '// __ENTERING__\n': `${entering(load, connections)}\n`,
    __ENVIRONMENTS__: literal(parts.env),
    __OPTIONS__: literal(duetOptions(parts)),
    __OWN_LOAD__: ownLoad,
    '// __MERGED__\n': mergedOptions,
    '// __SUMMARY__\n': handleSummary(parts.summaryPath, literal({ duet: load })),
  });
}
