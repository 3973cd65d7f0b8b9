import { isFixedRate, isGatingLoop } from '../comparison/gating.ts';
import { COSTS } from '../comparison/unjudged-services.ts';
import { type Case, casesOf } from '../config/case.ts';
import type { Diagnostic } from '../config/diagnostics.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import { readYaml } from '../config/yaml.ts';

/** What is to be said where `isCostUnjudged`. */
export const UNJUDGED_COST =
  'no case is judged by throughput or CPU per request, so a candidate that needs twice the CPU for each request would pass. ' +
  'Use `load: {preset: standard}`, or add cases of wrk (load.wrk).';

/** Whether no case gates what a request costs, although that is limited (`unjudgedServices`). */
export function isCostUnjudged(
  { gate }: Pick<ResolvedSpec, 'gate'>,
  own: readonly Pick<Case, 'key' | 'load'>[],
): boolean {
  if (gate.baseline === 'none') return false;
  const isLimited = [gate.metrics, ...Object.values(gate.cases)].some((limits) =>
    COSTS.some((name) => Object.hasOwn(limits, name) && Object.keys(limits[name]!).length > 0),
  );
  const isJudged = own.some(({ key, load: { generator } }) => {
    const each = { key, generator };
    return isGatingLoop(each) || isFixedRate(each);
  });
  return isLimited && !isJudged;
}

/** The warning of a whole spec; `text` is its own. */
export function unjudgedWarning(spec: ResolvedSpec, text: string, fileName: string): Diagnostic[] {
  const { source } = readYaml(text, fileName);
  if (source === null || !isCostUnjudged(spec, casesOf(spec))) return [];
  return [source.aboutKey(['load'], { code: 'undetectable-limit', message: `load: ${UNJUDGED_COST}` })];
}
