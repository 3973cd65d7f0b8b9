import type { MetricDefinition } from '../metrics/definition.ts';
import type { ComparisonMode } from './comparison.ts';

/** Whether what is paired in this way holds nothing of the metric, so that its changes cannot be judged. */
export function isUnmeasuredIn(mode: ComparisonMode, { inDuets }: Pick<MetricDefinition, 'inDuets'>): boolean {
  return mode === 'duet' && inDuets === 'not measured';
}

/** The end of a sentence about a limit of a change, with what to limit instead. */
export function whereUnmeasured({ name }: Pick<MetricDefinition, 'name'>): string {
  return `where both sides are loaded at once, since a duet does not measure it: limit memory-peak instead, or ${name} by max`;
}
