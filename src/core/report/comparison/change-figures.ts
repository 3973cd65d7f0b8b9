import { candidateFigure } from '../../comparison/candidate-figure.ts';
import type { MetricComparison } from '../../comparison/comparison.ts';
import { absent, cpuTime, grouped, latency, perRequest, share, size, throughput } from '../../format/figures.ts';
import { signedPercent } from '../../format/percent.ts';
import { metricNamed } from '../../metrics/registry.ts';

/** How a change, its interval and its limit are written, wherever a comparison is shown. */

/** A metric's value in its unit: `412 µs`, `48,120/s`. Whole exact counts keep every digit: 2718 bytes are not `2.65 KiB`. */
export function metricFigure(metric: string, { unit, evidence }: Shown, value: number | null): string {
  if (value === null) return absent;
  if (metricNamed(metric)?.limitedByLevelAlone === true) return share(value);
  if (unit === 'req/s') return `${throughput(value)}/s`;
  if (unit === 'ms') return latency(value);
  if (unit === 'us') return cpuTime(value);
  const exact = evidence.mode === 'exact';
  if (unit === 'bytes') return exact ? `${exactFigure(value)} B` : size(value);
  return exact ? exactFigure(value) : perRequest(value);
}

interface Shown extends Pick<MetricComparison, 'unit'> {
  evidence: Pick<MetricComparison['evidence'], 'mode'>;
}

/** Of what is not whole three digits: `25`, and not `25.004`, beside a difference of `+0.004`. */
function exactFigure(value: number): string {
  const isLong = Number.isInteger(value) || Math.abs(value) >= 999.5;
  return isLong ? grouped(value) : String(Number(value.toPrecision(3)));
}

/** `+6.1 %` from the pairs; the difference where it is an exact count, or there is nothing to be a part of. */
export function changeFigure(metric: string, compared: MetricComparison): string {
  const { change, difference, evidence } = compared;
  if (difference !== null && (change === null || evidence.mode === 'exact')) {
    return `${difference > 0 ? '+' : ''}${metricFigure(metric, compared, difference)}`;
  }
  return change === null ? absent : signedPercent(change);
}

/** `+3 %`, `-5 %`, `+2.00 ms`, `0`; `at most 50.00 ms` for an absolute limit that is broken; empty where there is none. */
export function limitFigure(metric: string, compared: MetricComparison): string {
  const { brokenLimit, threshold } = compared;
  const limits = threshold === null ? [] : [thresholdFigure(metric, compared, threshold)];
  if (brokenLimit !== null) {
    const { kind, value } = brokenLimit;
    const own = metricFigure(metric, compared, compared.candidate);
    const shown = metricFigure(metric, compared, candidateFigure(compared));
    // The limit is held against the published figure, which a change under load does not show.
    const held = compared.verdict === 'regression' && own !== shown ? ` (published: ${own})` : '';
    limits.push(`at ${kind === 'max' ? 'most' : 'least'} ${metricFigure(metric, compared, value)}${held}`);
  }
  return limits.join(', ');
}

/** `+3 %`, `-5 %`, `+2.00 ms`, `0` */
export function thresholdFigure(
  metric: string,
  compared: Shown & Pick<MetricComparison, 'better'>,
  { kind, value, down }: NonNullable<MetricComparison['threshold']>,
): string {
  const sign = value === 0 ? '' : compared.better === 'lower' && down === undefined ? '+' : '-';
  if (kind === 'ratio') return `${sign}${Number((value * 100).toPrecision(6))} %`;
  return `${sign}${metricFigure(metric, compared, value)}`;
}
