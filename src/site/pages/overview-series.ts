import type { Manifest } from '../../core/publication/manifest.ts';
import { hasFigures } from './measured-runs.ts';
import { soundFigure } from './sound-figure.ts';
import { usualCase } from './usual-case.ts';
import type { RunEntry, SeriesName } from './view.ts';

/** The series by which the list of all specs shows how one of them went. */
export interface OverviewSeries extends SeriesName {
  /** The figures that count, the oldest first. */
  values: number[];
}

/** Of the usual case's throughput, or of its first metric where there is none; null where the spec has no case. */
export function overviewSeries({ cases, metrics }: Manifest, runs: readonly RunEntry[]): OverviewSeries | null {
  const ofMetric = Math.max(
    0,
    metrics.findIndex(({ name }) => name === 'throughput'),
  );
  const ofCase = usualCase(cases, ofMetric, runs.findLast(hasFigures));
  const [own, metric] = [cases[ofCase], metrics[ofMetric]];
  if (own === undefined || metric === undefined) return null;
  return { case: own, metric, values: runs.flatMap((run) => soundFigure(run, `${ofCase}.${ofMetric}`) ?? []) };
}
