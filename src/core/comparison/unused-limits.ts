import { DEFAULT_LIMITS } from '../config/gate.ts';
import type { GateRules, MetricLimit } from '../config/resolved.ts';
import type { Reason } from '../measurement/names.ts';
import { syscallsPerRequest } from '../metrics/counts.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import { metrics } from '../metrics/registry.ts';
import type { ComparisonMode } from './comparison.ts';
import { fits } from './thresholds.ts';
import { isUnmeasuredIn, whereUnmeasured } from './unmeasured-in-duets.ts';

/** A metric of a case, and whether the case gates it. */
export interface HeldMetric {
  metric: { name: string };
  service: string;
  /** What globs are held against. */
  names: readonly string[];
  gates: boolean;
}

/**
 * What the gate limits and no case can be held to: a limit that is never judged must not look like one that is kept. `mode` is null
 * where nothing is compared.
 */
export function unusedLimits(gate: GateRules, all: readonly HeldMetric[], mode: ComparisonMode | null): Reason[] {
  if (all.length === 0) return [];
  return metrics.flatMap((definition) => {
    const { name, better, ofPass } = definition;
    const gating = all.filter(({ metric, gates }) => gates && metric.name === name);
    const ofCases = Object.entries(gate.cases).flatMap(([glob, limits]) => {
      const limit = writtenIn(limits, name);
      return limit === null ? [] : [{ glob, limit }];
    });
    const ofAll = writtenIn(gate.metrics, name);
    const own = [...(ofAll === null || isDefault(name, ofAll) ? [] : [ofAll]), ...ofCases.map(({ limit }) => limit)];
    if (own.length === 0) return [];
    if (gating.length === 0)
      return [unused(`${name} is limited, and no case of this run can be held to it${whereFor(definition)}.`)];
    const idleGlobs = ofCases.filter(({ glob }) => !gating.some(({ names }) => fits(glob, names)));
    const found = idleGlobs.map(({ glob }) => {
      const why = all.some(({ names }) => fits(glob, names))
        ? `and no case of this run that fits can be held to it${whereFor(definition)}`
        : 'which fits no case of this run';
      return unused(`${name} is limited for \`${glob}\`, ${why}.`);
    });
    const idle = better === 'lower' ? 'maxDecrease' : 'maxIncrease';
    if (ofPass === undefined && own.some((limit) => limit[idle] !== undefined)) {
      const key = better === 'lower' ? 'max-decrease' : 'max-increase';
      found.push(unused(`${name}.${key} is not judged: that would be a change for the better.`));
    }
    if (definition.limitedByLevelAlone && own.some(({ maxIncrease }) => maxIncrease !== undefined)) {
      const message = `${name}.max-increase is not judged: limit ${name} by max, which holds for every case by itself.`;
      found.push(unused(message));
    }
    if (mode !== null && isUnmeasuredIn(mode, definition) && own.some(({ maxIncrease }) => maxIncrease !== undefined)) {
      found.push(unused(`${name}.max-increase is not judged ${whereUnmeasured(definition)}.`));
    }
    return found;
  });
}

function unused(message: string): Reason {
  return { code: 'limit-unused', message };
}

/** Null where none is written, or it is switched off. */
function writtenIn(limits: Record<string, MetricLimit>, name: string): MetricLimit | null {
  const limit = Object.hasOwn(limits, name) ? limits[name]! : {};
  return Object.keys(limit).length > 0 ? limit : null;
}

function isDefault(name: string, limit: MetricLimit): boolean {
  return JSON.stringify(limit) === JSON.stringify(DEFAULT_LIMITS[name]);
}

function whereFor({ name, gatedBy }: MetricDefinition): string {
  if (name === syscallsPerRequest.name) return ': perf could not count them, and doctor says how it can';
  if (gatedBy === 'fixed rate') return `: ${name.split('-')[0]} is judged with k6 at a fixed rate (load.k6)`;
  return gatedBy === 'closed loop' ? `: ${name} is judged with wrk (load.wrk)` : '';
}
