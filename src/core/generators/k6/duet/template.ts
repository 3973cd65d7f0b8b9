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
  const imports = SIDES.map(
    (side) => `import './${environmentFile(side)}';\nimport * as ${side}Script from './${templateFile(side)}';\n`,
  );
  const sides = SIDES.map(
    (side, index) => `
export function ${side}(data) {
  enter();
  return ${side}Script.default(data[${index}]);
}
`,
  );
  return `${imports.join('')}
${entering(load, connections)}
const environments = ${literal(parts.env)};
const scripts = [${SIDES.map((side) => `${side}Script`).join(', ')}];
const given = firstScript.options || {};
const base = ${literal(duetOptions(parts))};
if (${ownLoad}) {
  throw new Error('load.k6.script brings a load of its own, whose requests to baseline and candidate cannot be told apart');
}

export const options = Object.assign({}, base, given, {
  summaryTrendStats: base.summaryTrendStats,
  thresholds: Object.assign({}, given.thresholds, base.thresholds),
  scenarios: base.scenarios,
});

function ofBoth(call) {
  return scripts.map((script, index) => {
    globalThis.__ENV = Object.assign({}, globalThis.__ENV, environments[index]);
    return call(script, index);
  });
}

export function setup() {
  return ofBoth((script) => script.setup && script.setup());
}

export function teardown(data) {
  ofBoth((script, index) => script.teardown && script.teardown(data[index]));
}
${sides.join('')}${handleSummary(parts.summaryPath, { duet: load })}`;
}
