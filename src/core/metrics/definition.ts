import type { SliceMeasurement, UnloadedPass } from '../record/measurement.ts';

/** A named quantity with a unit and a better direction. A new one is a file here and a line in `registry.ts`. */
export interface MetricDefinition {
  name: string;
  title: string;
  unit: 'req/s' | 'ms' | '1/request' | 'us' | 'bytes';
  better: 'higher' | 'lower';
  /** Of the service's process, which serves all of its cases, rather than of what one case asks of it. */
  ofProcess?: true;
  /** From one slice, or null where the slice does not hold it. */
  ofSlice?(slice: SliceMeasurement): number | null;
  /** Of how many requests the slice's value is, where its samples say so: as the generator counted them. */
  requestsOf?(slice: SliceMeasurement): number | null;
  /** From the pass without load: exact. */
  ofPass?(pass: UnloadedPass): number | null;
}
