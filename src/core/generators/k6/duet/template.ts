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
  /** Its path. */
  script: string;
  /** What a script finds in `__ENV`, by side. */
  env: readonly [Record<string, string>, Record<string, string>];
}

const environmentFile = (side: Side) => `environment-${side}.js`;

/**
 * A user's script for both sides: two copies of it and of what goes with it, each of which sees its own side's `__ENV`, also
 * where it reads it before its first iteration. What follows are these environments: name → content.
 */
export function environmentFiles({ env }: DuetTemplateParts): Record<string, string> {
  const files = SIDES.flatMap((side, index) => [
    [environmentFile(side), `globalThis.__ENV = Object.assign({}, globalThis.__ENV, ${literal(env[index])});\n`],
  ]);
  return Object.fromEntries(files);
}

/** The script that imports them. Modules are evaluated in the order of their imports. */
export function k6DuetTemplateScript(parts: DuetTemplateParts): string {
  const { load, connections } = parts;
  const ownLoad = OWN_LOAD.map((name) => `given.${name}`).join(' || ');
  return filled(script, {
    __FIRST_ENVIRONMENT__: environmentFile('first'),
    "'./__FIRST_TEMPLATE__'": literal(`./first/${parts.script}`),
    __SECOND_ENVIRONMENT__: environmentFile('second'),
    "'./__SECOND_TEMPLATE__'": literal(`./second/${parts.script}`),
    '// __ENTERING__\n': `${entering(load, connections)}\n`,
    __ENVIRONMENTS__: literal(parts.env),
    __OPTIONS__: literal(duetOptions(parts)),
    __OWN_LOAD__: ownLoad,
    '// __MERGED__\n': mergedOptions,
    '// __SUMMARY__\n': handleSummary(parts.summaryPath, literal({ duet: load })),
  });
}
