import { absent, cpuTime, failureShare, perRequest, size, throughput } from '../format/figures.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import { type Entry, metricOf } from './view.ts';
import { latencyFigure } from './wording.ts';

/** A metric's figure of a case, in the unit of its column; `–` where the case lacks it. */
export function entryFigure(
  { record }: Pick<Entry, 'record'>,
  { name, unit, limitedByLevelAlone }: MetricDefinition,
): string {
  const value = metricOf(record, name);
  if (value === null) return absent;
  switch (unit) {
    case 'req/s':
      return throughput(value);
    case 'ms':
      return latencyFigure(record.generator, value);
    case 'us':
      return cpuTime(value);
    case 'bytes':
      return size(value);
    case '1/request':
      return limitedByLevelAlone ? failureShare(value) : perRequest(value);
  }
}
