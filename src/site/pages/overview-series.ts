import type { Manifest } from '../../core/publication/manifest.ts';
import { hasFigures } from './measured-runs.ts';
import { soundFigure } from './sound-figure.ts';
import { usualSeries } from './usual-case.ts';
import type { RunEntry, SeriesName } from './view.ts';

/** The series by which the list of all specs shows how one of them went. */
export interface OverviewSeries extends SeriesName {
  /** The figures that count, the oldest first. */
  values: number[];
}

/** Of the throughput where the newest run has one, else of what it has; null where the spec has no case. */
export function overviewSeries(manifest: Manifest, runs: readonly RunEntry[]): OverviewSeries | null {
  const usual = usualSeries(manifest, ['throughput'], runs.findLast(hasFigures));
  const [own, metric] = [manifest.cases[usual.case], manifest.metrics[usual.metric]];
  if (own === undefined || metric === undefined) return null;
  return { case: own, metric, values: runs.flatMap((run) => soundFigure(run, `${usual.case}.${usual.metric}`) ?? []) };
}
