import type { MemoryReadings } from '../record/measurement.ts';
import type { MetricDefinition } from './definition.ts';

/** Of the service, without page cache: what the kernel cannot take back without the service noticing. */
function memory(name: string, key: keyof MemoryReadings): MetricDefinition {
  return {
    name: `memory-${name}`,
    title: `Memory, ${name}`,
    unit: 'bytes',
    better: 'lower',
    ofProcess: true,
    ofSlice: (slice) => (slice.memory[key] > 0 ? slice.memory[key] : null),
  };
}

export const memories: MetricDefinition[] = [
  memory('idle', 'idleBytes'),
  memory('peak', 'peakBytes'),
  memory('settled', 'settledBytes'),
];
