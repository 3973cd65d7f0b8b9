import { isFixedRate, isGatingLoop } from '../comparison/gating.ts';
import { COSTS } from '../comparison/unjudged-services.ts';
import { casesOf } from '../config/cases.ts';
import type { Diagnostic } from '../config/diagnostics.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import { readYaml } from '../config/yaml.ts';

/** A load of which no case gates what a request costs, although that is limited (`unjudgedServices`); `text` is the spec's own. */
export function unjudgedWarning(spec: ResolvedSpec, text: string, fileName: string): Diagnostic[] {
  const { baseline, metrics, cases } = spec.gate;
  const { source } = readYaml(text, fileName);
  if (source === null || baseline === 'none') return [];
  const isLimited = [metrics, ...Object.values(cases)].some((limits) =>
    COSTS.some((name) => Object.hasOwn(limits, name) && Object.keys(limits[name]!).length > 0),
  );
  const isJudged = casesOf(spec).some(({ key, load: { generator } }) => {
    const each = { key, generator };
    return isGatingLoop(each) || isFixedRate(each);
  });
  if (!isLimited || isJudged) return [];
  const message =
    'load: no case is judged by throughput or CPU per request, so a candidate that needs twice the CPU for each request would pass. ' +
    'Use `load: {preset: standard}`, or add cases of wrk (load.wrk).';
  return [source.aboutKey(['load'], { code: 'undetectable-limit', message })];
}
