import type { Manifest, SeriesCase, SeriesMetric } from '../../../../core/publication/manifest.ts';
import { median } from '../../../../core/statistics/quantile.ts';
import { arrivalIn } from '../../case-title.ts';

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
  const load = loadOf(own);
  const found = cases.findIndex(
    (each) => each.reference && each.endpoint === own.endpoint && each.load !== null && loadOf(each) === load,
  );
  return found === -1 ? null : found;
}

/** With the rate as it was asked for: a share of the capacity is another rate for each service. */
function loadOf({ key, load }: SeriesCase): string {
  return JSON.stringify([load?.route, load?.generator, load?.keepAlive, load?.connections, arrivalIn(key)]);
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
