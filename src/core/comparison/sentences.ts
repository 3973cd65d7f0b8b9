import type { Limit } from '../config/resolved.ts';
import { change as changeText, cpuTime, latency, perRequest, share, size, throughput } from '../format/figures.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import { candidateFigure } from './candidate-figure.ts';
import type { MetricComparison } from './comparison.ts';

type Named = Pick<MetricDefinition, 'title' | 'unit' | 'better'>;

/** A figure with its unit: `41.2 µs`, `12.4 MiB`, `584,991 req/s`, `1.50`. */
function figure({ unit }: Pick<MetricDefinition, 'unit'>, value: number): string {
  if (unit === 'us') return cpuTime(value);
  if (unit === 'ms') return latency(value);
  if (unit === 'bytes') return size(value);
  return unit === 'req/s' ? `${throughput(value)} req/s` : perRequest(value);
}

/**
 * What was found of a metric, for the gate's lists, without the case:
 *
 *     CPU per request, service and database: +6.1% (+4.9% … +7.3%), 41.2 µs → 43.7 µs; limit +3.0%
 */
export function changeSentence(metric: Named, found: MetricComparison): string {
  const { baseline, difference, change, adjusted, threshold, verdict, evidence } = found;
  const candidate = candidateFigure(found);
  const parts: string[] = [];
  if (evidence.mode === 'exact') parts.push(signed(metric, difference ?? 0));
  else if (change !== null)
    parts.push(adjusted === null ? changeText(change) : `${changeText(change)} ${range(adjusted)}`);
  if (baseline !== null && candidate !== null) {
    parts.push(`${figure(metric, baseline)} → ${figure(metric, candidate)}`);
  }
  const limit = threshold === null ? '' : `; limit ${limitText(metric, threshold)}`;
  const isOpen = verdict === 'inconclusive' || verdict === 'not-measured';
  const open = isOpen ? `; not decided after ${repetitions(evidence)}` : '';
  const note = isOpen && evidence.note !== null ? ` (${evidence.note})` : '';
  return `${metric.title}: ${parts.length === 0 ? 'nothing to compare' : parts.join(', ')}${limit}${open}${note}`;
}

/** `Latency, p99: 61.20 ms; limit at most 50.00 ms` */
export function absoluteSentence(
  metric: Named,
  value: number,
  { kind, value: limit }: NonNullable<MetricComparison['brokenLimit']>,
): string {
  return `${metric.title}: ${figure(metric, value)}; limit at ${kind === 'max' ? 'most' : 'least'} ${figure(metric, limit)}`;
}

/** `+3.0%`, `-5.0%`, `+0`, `+64.0 MiB`: in the direction that is worse, or of a count that fell. */
export function limitText(metric: Named, { kind, value, down }: Limit & { down?: true }): string {
  const sign = metric.better === 'lower' && down === undefined ? '+' : '-';
  return `${sign}${kind === 'ratio' ? share(value) : figure(metric, value)}`;
}

function range([low, high]: [number, number]): string {
  return `(${changeText(low)} … ${changeText(high)})`;
}

function signed(metric: Named, difference: number): string {
  const text = figure(metric, Math.abs(difference));
  return difference === 0 ? `±${text}` : `${difference > 0 ? '+' : '-'}${text}`;
}

function repetitions({ mode, rounds }: MetricComparison['evidence']): string {
  const noun = mode === 'stored' ? 'past run' : mode === 'exact' ? 'pass' : 'round';
  const plural = noun === 'pass' ? 'passes' : `${noun}s`;
  return `${rounds} ${rounds === 1 ? noun : plural}`;
}
