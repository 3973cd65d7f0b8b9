import * as z from 'zod';
import { dataFiles } from './data/files.ts';
import { specData } from './data/spec-data.ts';
import { element, failureNotice, notice } from './element.ts';
import { hasFigures, hasResult } from './measured-runs.ts';
import { metricFigure, timeText } from './metric-figure.ts';
import { overviewSeries } from './overview-series.ts';
import { sparkline } from './sparkline.ts';
import { type RunEntry, type SpecData, UnreadableData } from './view.ts';

/** The script of the list of all specs: beside each it says when it last ran, what came of it and how its first figure went. */

// The page allows no code but its own files, and compiling a schema would be one.
z.config({ jitless: true });

/** Of a sparkline; the newest piece of the series usually has them. */
const RUNS = 30;

const VERDICTS = new Map<boolean | null, { text: string; kind: string }>([
  [true, { text: 'passed', kind: 'good' }],
  [false, { text: 'failed', kind: 'bad' }],
  [null, { text: 'measured', kind: 'quiet' }],
]);

async function describe(item: HTMLElement, spec: string): Promise<void> {
  const base = new URL(`${encodeURIComponent(spec)}/`, document.baseURI).href;
  try {
    const data = await specData(dataFiles(base, fetch.bind(window)), () => undefined);
    await data.fetchRuns((fetched) => fetched.length >= RUNS && fetched.some(hasFigures));
    const known = data.runs();
    const runs = known.filter(hasFigures).slice(-RUNS);
    const newest = known.findLast(hasResult) ?? known.at(-1);
    if (newest === undefined) {
      item.append(element('p', { class: 'quiet' }, 'No run of it counts.'));
      return;
    }
    const verdict = VERDICTS.get(newest.passed)!;
    const line = element('p', {});
    line.append(
      element('span', { class: `outcome ${verdict.kind}` }, verdict.text),
      ' ',
      element('time', { datetime: new Date(newest.at).toISOString() }, timeText(newest.at)),
    );
    item.append(line, ...trend(data, runs));
  } catch (error) {
    if (!(error instanceof UnreadableData)) {
      item.append(notice('Its data could not be shown. Reload this page.'));
      return;
    }
    const failure = failureNotice(error, () => {
      failure.remove();
      void describe(item, spec);
    });
    item.append(failure);
  }
}

function trend({ manifest }: SpecData, runs: readonly RunEntry[]): Node[] {
  const series = overviewSeries(manifest, runs);
  const last = series?.values.at(-1);
  if (series === null || last === undefined) return [];
  const { metric, values } = series;
  const figure = metricFigure(metric, last);
  // What another tool measured has no name but its unit.
  const what = metric.title === metric.unit ? figure : `${figure}, ${metric.title.toLowerCase()}`;
  const caption = element('p', { class: 'quiet' }, `${what} of ${series.case.key}`);
  return values.length < 2 ? [caption] : [sparkline(values), caption];
}

for (const item of document.querySelectorAll<HTMLElement>('#specs > li')) {
  void describe(item, item.dataset.spec ?? '');
}
