import type { Manifest, SeriesMetric } from '../../../../core/publication/manifest.ts';
import { median } from '../../../../core/statistics/quantile.ts';

/** Whether a faster machine moves it: what it costs in memory or in queries is the same on all. */
export function followsTheMachine({ unit }: Pick<SeriesMetric, 'unit'>): boolean {
  return unit === 'req/s' || unit === 'ms' || unit === 'us';
}

/**
 * The place of the case that calibrates another: that of a reference service, of the same endpoint and load; null where there is
 * none, and for a reference itself.
 */
export function referenceOf(cases: Manifest['cases'], place: number): number | null {
  const own = cases[place];
  if (own === undefined || own.load === null || own.reference) return null;
  const load = JSON.stringify(loadOf(own.load));
  const found = cases.findIndex(
    (each) =>
      each.reference &&
      each.endpoint === own.endpoint &&
      each.load !== null &&
      JSON.stringify(loadOf(each.load)) === load,
  );
  return found === -1 ? null : found;
}

/** Without the rate: a share of the capacity is another rate for each service. */
function loadOf({ route, generator, keepAlive, connections }: NonNullable<Manifest['cases'][number]['load']>) {
  return [route, generator, keepAlive, connections];
}

/**
 * Each figure divided by what the reference did in the same run, times the median of the reference: as if every run had been on the
 * machine on which the reference does that. NaN where the run has no figure of the reference.
 */
export function normalised(values: readonly number[], reference: readonly number[]): number[] {
  const usable = reference.map((each) => (each > 0 ? each : Number.NaN));
  const usual = median(usable.filter((each) => !Number.isNaN(each)));
  return values.map((value, place) => (value / usable[place]!) * usual);
}
