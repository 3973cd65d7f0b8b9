import { visible } from '../../../../core/format/text.ts';
import { prefersDark } from '../../../palette.ts';
import { downloadButton } from '../../download.ts';
import { element, notice } from '../../element.ts';
import { hasFigures } from '../../measured-runs.ts';
import type { Page, RunEntry, State } from '../../view.ts';
import { annotationList } from './annotations.ts';
import { BAND_RUNS } from './band.ts';
import { button, controls, rangeControls, select } from './controls.ts';
import { trendCsv, trendJson } from './downloads.ts';
import { changesDrawing, figuresDrawing, runTitle } from './drawings.ts';
import { markOf } from './marks.ts';
import { type Trend, trendOf } from './model.ts';
import type { Pointer } from './overlays.ts';
import { type Panel, type PanelContent, panel } from './panel.ts';
import { type Question, questionOf } from './question.ts';
import { bounds, isCovered, type Move, momentText, moved, rangeOf, within } from './range.ts';
import { runsWithFigures } from './runs-with-figures.ts';
import { runDetails } from './selection.ts';
import { sinceAnchor } from './since-anchor.ts';
import { foldedTable } from './table.ts';
import { changeDescription, changeWords, figureDescription, figureWords, rangeText } from './words.ts';

/** In the browser's own timeline, whenever charts have been drawn. */
const CHART_MARK = 'wrkbench:chart';

/** The charts that stand on the page; those of a view that was left are gone with their canvases. */
let drawn: Panel[] = [];

function drawAll(printing: boolean): void {
  // One that has nothing to show is not in the page, and has no size.
  for (const each of drawn.filter(({ figure }) => figure.isConnected)) each.draw(printing);
}

prefersDark.addEventListener('change', () => drawAll(false));
window.addEventListener('beforeprint', () => drawAll(true));
window.addEventListener('afterprint', () => drawAll(false));

/** How each metric went over the runs of a range, and what each run was found to have changed. */
export async function showTrend(into: HTMLElement, state: State, page: Page): Promise<void> {
  for (const each of drawn) each.destroy();
  drawn = [];
  const { data } = page;
  const loading = element('p', { class: 'loading' }, 'Loading runs …');
  into.append(element('h2', {}, 'Trend'), loading);
  const range = rangeOf(state);
  await data.fetchRuns(
    (runs) => isCovered(range, runs, BAND_RUNS) && runs.some(hasFigures),
    range.kind === 'newest' ? range.count : 0,
  );
  // Somebody went on while it was loading.
  if (!into.isConnected) return;
  loading.remove();
  const known = data.runs();
  if (known.length === 0 || data.manifest.cases.length === 0 || data.manifest.metrics.length === 0) {
    into.append(element('p', {}, 'No runs have been published yet, or none that counts.'));
    return;
  }
  const newest = known.findLast(hasFigures);
  const question = questionOf(state, data.manifest, isCompared(newest ?? known.at(-1)!, page), newest);
  const all = runsWithFigures(known, question);
  const limits = bounds(range, all);
  const days = [dayOf(all[Math.min(limits[0], all.length - 1)]!), dayOf(all[Math.max(0, limits[1] - 1)]!)] as const;
  into.append(
    ...question.unknown.map((sentence) => notice(visible(sentence))),
    controls(question, page),
    rangeControls(question, daysAsked(question, days), page),
  );
  if (limits[0] >= limits[1]) {
    into.append(notice('No run was published in this range: choose other days, or the newest runs.'));
    return;
  }
  const trend = trendOf(question, data.manifest, all, limits);
  showCharts(into, trend, question, limits, page);
  page.announce(`${trend.metric.title}: ${rangeText(trend)}.`);
}

function dayOf({ at }: RunEntry): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** As they were written, where they were. */
function daysAsked({ range }: Question, [from, to]: readonly [string, string]): [string, string] {
  if (range.kind !== 'between') return [from, to];
  const text = (at: number | null, otherwise: string) =>
    at === null ? otherwise : new Date(at).toISOString().slice(0, 10);
  return [text(range.from, from), text(range.to, to)];
}

/** Whether changes of CPU per request are known of the runs beside this one. */
function isCompared({ piece }: RunEntry, { data: { manifest } }: Page): boolean {
  const place = manifest.metrics.findIndex(({ name }) => name === 'cpu-per-request');
  return Object.entries(piece.series).some(
    ([key, { changeBp }]) => key.endsWith(`.${place}`) && changeBp?.some((each) => each !== null) === true,
  );
}

function showCharts(
  into: HTMLElement,
  trend: Trend,
  question: Question,
  shown: readonly [number, number],
  page: Page,
): void {
  const { runs } = trend;
  const found = runs.findIndex(({ id }) => id === question.run);
  if (question.run !== null && found === -1) {
    into.append(notice(`Run ${visible(question.run.slice(0, 40))} is not among the runs shown.`));
  }
  const details = element('section', { class: 'details', 'aria-labelledby': 'trend-run-title' });
  const pointer: Pointer = { x: null, dragged: null };
  const slider = element('input', { type: 'range', id: 'trend-run', min: 0, max: runs.length - 1, step: 1 });
  const placeOnAxis = (place: number) => (question.axis === 'time' ? runs[place]!.at : place);
  const choose = (place: number, isNews: boolean) => {
    slider.value = String(place);
    slider.setAttribute('aria-valuetext', runTitle(trend, place));
    pointer.x = isNews || question.run !== null ? placeOnAxis(place) : null;
    // Before the links are made, which keep what the address says.
    if (isNews) page.go({ at: runs[place]!.id }, 'note');
    details.replaceChildren(...runDetails(trend, place, page));
    if (!isNews) return;
    for (const each of drawn) each.repaint();
  };
  slider.addEventListener('input', () => choose(Number(slider.value), true));
  const shared = {
    lines: trend.lines,
    pointer,
    choose: (place: number) => choose(place, true),
    zoom: (from: number, to: number) => {
      const places = [...runs.keys()].filter((place) => placeOnAxis(place) >= from && placeOnAxis(place) <= to);
      if (places.length < 2) page.announce('There are no two runs in what was drawn over.');
      else page.go(rangeChanges(runs[places[0]!]!, runs[places.at(-1)!]!));
    },
    step: (move: Move, around?: number) => void stepTo(move, shown, question, page, around),
  };
  drawn = panelsOf(trend, question, shared).map((content) => panel(content));
  const [figures, changes] = drawn;
  into.append(
    zoomControls(trend, shared.step),
    trend.hasFigures
      ? figures!.figure
      : element(
          'p',
          {},
          `None of these runs has a figure of this metric in ${question.cases.length === 1 ? 'this case' : 'these cases'}.`,
        ),
    sinceAnchor(trend, page),
    element('label', { class: 'slider' }, 'Run', slider),
    details,
    ...(changes === undefined
      ? []
      : [
          select(
            'Changes',
            'trend-changes',
            [
              ['each', 'of each run'],
              ['sum', 'added up'],
            ],
            question.changes,
            (value) => page.go({ changes: value === 'each' ? null : value }),
          ),
          changes.figure,
        ]),
    below(trend, question, page, (place) => {
      choose(place, true);
      slider.focus();
    }),
  );
  choose(found === -1 ? newestPlace(trend) : found, false);
  drawAll(false);
  // For `bench:pages`, and for whoever profiles the page.
  performance.mark(CHART_MARK);
}

/** Of the newest run with a figure or a mark; of the newest of all where none has one. */
function newestPlace({ runs, lines }: Trend): number {
  const isThere = (place: number) =>
    lines.some((line) => !Number.isNaN(line.figures[place]) || markOf(line, place) !== null);
  const found = [...runs.keys()].findLast(isThere);
  return found ?? runs.length - 1;
}

type Shared = Pick<PanelContent, 'lines' | 'pointer' | 'choose' | 'zoom' | 'step'>;

/** The figures, and the changes where any are known. */
function panelsOf(trend: Trend, question: Question, shared: Shared): PanelContent[] {
  const { metric, lines } = trend;
  const better = metric.better === null ? '' : `, ${metric.better === 'higher' ? 'more' : 'less'} is better`;
  const unit = { 'req/s': 'requests per second', ms: 'milliseconds', us: 'CPU time', bytes: 'memory or size' }[
    metric.unit
  ];
  const only = lines.length === 1 ? `${lines[0]!.title} · ` : '';
  const title = visible(metric.title);
  const figures: PanelContent = {
    ...shared,
    title: question.normalised ? `${title}, normalised` : title,
    note: `${only}${unit ?? visible(metric.unit)}${better}`,
    description: figureDescription(trend),
    showsDoubts: true,
    words: figureWords(trend, question),
    drawing: (colours, width) => figuresDrawing(trend, question, colours, width),
  };
  if (!trend.hasChanges) return [figures];
  const changes: PanelContent = {
    ...shared,
    title:
      question.changes === 'sum' ? `Changes of ${lowered(title)}, added up` : `Change of ${lowered(title)} in each run`,
    note: `${only}percent of the baseline${better}`,
    description: changeDescription(trend),
    showsDoubts: false,
    words: changeWords(question),
    drawing: (colours, width) => changesDrawing(trend, question, colours, width),
  };
  return [figures, changes];
}

/** `CPU per request` stays as it is. */
function lowered(title: string): string {
  return /^[A-Z][a-z]/.test(title) ? `${title[0]!.toLowerCase()}${title.slice(1)}` : title;
}

function zoomControls(trend: Trend, step: (move: Move) => void): HTMLElement {
  return element(
    'div',
    { class: 'toolbar' },
    element('p', { class: 'quiet' }, rangeText(trend)),
    element(
      'div',
      { class: 'buttons', role: 'group', 'aria-label': 'Zoom' },
      button('Earlier', 'trend-earlier', null, () => step('earlier')),
      button('Later', 'trend-later', null, () => step('later')),
      button('Zoom in', 'trend-in', null, () => step('in')),
      button('Zoom out', 'trend-out', null, () => step('out')),
    ),
  );
}

/** To a neighbouring range; what is not there yet is fetched first. */
async function stepTo(
  move: Move,
  [start, end]: readonly [number, number],
  question: Question,
  page: Page,
  around?: number,
): Promise<void> {
  const next = moved([start, end], move, around);
  const known = runsWithFigures(page.data.runs(), question).length;
  await page.data.fetchRuns((runs) => runsWithFigures(runs, question).length - known + next[0] >= BAND_RUNS);
  const all = runsWithFigures(page.data.runs(), question);
  const added = all.length - known;
  const [from, to] = within([next[0] + added, next[1] + added], all.length);
  if (from === start + added && to === end + added) {
    page.announce(move === 'in' ? 'This is as near as it gets.' : 'There are no more runs.');
    return;
  }
  page.go(rangeChanges(all[from]!, all[to - 1]!));
}

function rangeChanges(first: RunEntry, last: RunEntry): Record<string, string | null> {
  return { from: momentText(first.at), to: momentText(last.at), last: null };
}

/** Tables, marks in words, and downloads. */
function below(trend: Trend, question: Question, page: Page, choose: (place: number) => void): HTMLElement {
  const { manifest } = page.data;
  const name = `${manifest.spec}-${trend.metric.name}`.replace(/[^\w.-]+/g, '-').slice(0, 100);
  const isNormalised = question.normalised;
  return element(
    'div',
    { class: 'below' },
    annotationList(trend, choose),
    foldedTable('Figures as a table', 'trend-figures-table', trend, 'figures'),
    trend.hasChanges ? foldedTable('Changes as a table', 'trend-changes-table', trend, 'changes') : null,
    element(
      'div',
      { class: 'buttons', role: 'group', 'aria-label': 'Download what is shown' },
      downloadButton('Download CSV', `${name}.csv`, 'text/csv', () => trendCsv(trend, isNormalised)),
      downloadButton('Download JSON', `${name}.json`, 'application/json', () =>
        trendJson(trend, isNormalised, manifest),
      ),
    ),
  );
}
