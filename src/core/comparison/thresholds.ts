import { expandedBraces, matchesGlob } from '../config/glob.ts';
import type { GateRules, Limit, MetricLimit } from '../config/resolved.ts';
import type { MetricDefinition } from '../metrics/definition.ts';

/**
 * The limits of a metric for a case of these names: those of the nearest matching glob of `gate.cases` that has the
 * metric, else those of the gate itself; `{}` where nothing limits it. Nearest is the glob with the most literal
 * characters (neither `*` nor `?`; of braces those that fit), of two with as many the later one. Limits of a glob replace the others, all
 * of them.
 */
export function limitsFor(gate: GateRules, names: readonly string[], metric: string): MetricLimit {
  let nearest: MetricLimit | undefined = own(gate.metrics, metric);
  let most = -1;
  for (const [glob, limits] of Object.entries(gate.cases)) {
    const limit = own(limits, metric);
    if (limit === undefined) continue;
    const fitting = expandedBraces(glob).filter((pattern) => fits(pattern, names));
    const literal = Math.max(...fitting.map((pattern) => pattern.replaceAll(/[*?]/g, '').length));
    if (fitting.length === 0 || literal < most) continue;
    nearest = limit;
    most = literal;
  }
  return nearest ?? {};
}

/** Whether a glob stands for a case of these names. */
export function fits(glob: string, names: readonly string[]): boolean {
  return names.some((name) => matchesGlob(glob, name));
}

/** How far the metric may go in the direction that is worse; null where that is not limited. */
export function changeLimit({ better }: Pick<MetricDefinition, 'better'>, limit: MetricLimit): Limit | null {
  return (better === 'lower' ? limit.maxIncrease : limit.maxDecrease) ?? null;
}

/** Whether it limits the metric itself, which needs no baseline. */
export function limitsLevel({ max, min }: MetricLimit): boolean {
  return max !== undefined || min !== undefined;
}

/**
 * The borders of a change on the scale where decisions are made, ln(candidate/baseline) turned so that up is worse, both
 * as positive numbers: `worse` is where a regression begins, `better` where an improvement does. A share r of `baseline`
 * up is ln(1 + r), down it is -ln(1 - r). An absolute limit is a share of `baseline`, in the metric's unit.
 */
export function logBorders(
  { better }: Pick<MetricDefinition, 'better'>,
  { kind, value }: Limit,
  baseline: number,
): { worse: number; better: number } {
  const share = kind === 'ratio' || value === 0 ? value : value / baseline;
  const up = Math.log1p(share);
  const down = -Math.log1p(-Math.min(share, MOST_DECREASE));
  return better === 'lower' ? { worse: up, better: down } : { worse: down, better: up };
}

/** Nothing falls by more than all of itself; short of it, so that logarithms stay finite. */
const MOST_DECREASE = 1 - 1e-9;

/** The same in the metric's unit, for counts that are compared as they are. */
export function differenceThreshold({ kind, value }: Limit, baseline: number): number {
  return kind === 'ratio' ? value * baseline : value;
}

function own<T>(map: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
