import { isOfSeveralModels } from '../../../../core/record/different-machines.ts';
import { noPast, type PastFigures } from '../../../../core/report/analysis/ranges.ts';
import { soundFigure } from '../../sound-figure.ts';
import type { Page, RunEntry } from '../../view.ts';

/** Runs whose figures a range is from, at most. */
const MOST_RUNS = 20;

/** What this run and the newest before it, on the same CPU model, published: of the pieces that are here already. Nothing of a run on several. */
export function pastFigures({ data }: Page, run: RunEntry): PastFigures {
  if (isOfSeveralModels(run.cpu)) return noPast;
  const runs = data
    .runs()
    .filter(({ cpu, at, imported }) => cpu === run.cpu && at <= run.at && !imported)
    .slice(-MOST_RUNS);
  const cases = new Map(data.manifest.cases.map(({ key }, at) => [key, at]));
  const metrics = new Map(data.manifest.metrics.map(({ name }, at) => [name, at]));
  return (caseKey, metric) => {
    const series = `${cases.get(caseKey)}.${metrics.get(metric)}`;
    return runs.flatMap((each) => soundFigure(each, series) ?? []);
  };
}
