import { metrics } from '../metrics/registry.ts';
import type { Reason } from '../record/run-record.ts';
import { DEFAULT_LIMITS } from '../spec/resolve.ts';
import type { GateRules, MetricLimit } from '../spec/resolved.ts';

/** What the gate limits and no case can be held to: a limit that is never judged must not look like one that is kept. */
export function unusedLimits(
  gate: GateRules,
  contrasts: readonly { metric: { name: string }; gates: boolean }[],
): Reason[] {
  const gated = new Set(contrasts.flatMap(({ metric, gates }) => (gates ? [metric.name] : [])));
  return metrics.flatMap(({ name, better, ofPass }) => {
    const written = [gate.metrics, ...Object.values(gate.cases)].flatMap((limits) =>
      Object.hasOwn(limits, name) ? [limits[name]!] : [],
    );
    const own = written.filter((limit) => Object.keys(limit).length > 0 && !isDefault(name, limit));
    const found: Reason[] = [];
    if (own.length > 0 && contrasts.length > 0 && !gated.has(name)) {
      found.push({
        code: 'limit-unused',
        message: `${name} is limited, and no case of this run can be held to it${whereFor(name)}.`,
      });
    }
    const idle = better === 'lower' ? 'maxDecrease' : 'maxIncrease';
    if (ofPass === undefined && own.some((limit) => limit[idle] !== undefined)) {
      const key = better === 'lower' ? 'max-decrease' : 'max-increase';
      found.push({
        code: 'limit-unused',
        message: `${name}.${key} is not judged: that would be a change for the better.`,
      });
    }
    if (name === 'errors' && own.some(({ maxIncrease }) => maxIncrease !== undefined)) {
      const message = 'errors.max-increase is not judged: limit errors by max, which holds for every case by itself.';
      found.push({ code: 'limit-unused', message });
    }
    return found;
  });
}

function isDefault(name: string, limit: MetricLimit): boolean {
  return JSON.stringify(limit) === JSON.stringify(DEFAULT_LIMITS[name]);
}

function whereFor(name: string): string {
  if (name.startsWith('latency-')) return ': latency is judged with k6 at a fixed rate (load.k6)';
  return name === 'throughput' ? ': throughput is judged with wrk (load.wrk)' : '';
}
