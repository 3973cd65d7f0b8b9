import { metrics } from '../../../src/core/metrics/registry.ts';

/** Keys that may stand in a gate, and in the limits of a metric. */
export const GATE_KEYS = [...metrics.map(({ name }) => name), 'max-increase', 'max-decrease', 'max', 'min'];
