import { counted } from '../../../../core/format/figures.ts';
import { signedPercent } from '../../../../core/format/percent.ts';
import { visible } from '../../../../core/format/text.ts';
import type { PublishedAnchor } from '../../../../core/record/run-record.ts';
import { element } from '../../element.ts';
import { timeText } from '../../metric-figure.ts';
import { type Page, type RunEntry, UnreadableData } from '../../view.ts';
import type { Line, Trend } from './model.ts';

/**
 * How far the newest run that was compared with an anchor is from it, of each endpoint that the chart shows: a part of the page that is
 * filled once the file of that run is there, and that stays empty where there is none.
 */
export function sinceAnchor(trend: Trend, page: Page): HTMLElement {
  const place = element('section', { class: 'since-anchor', 'aria-labelledby': 'trend-anchor-title', hidden: true });
  const run = page.data.runs().findLast(({ anchor }) => anchor !== null);
  if (run !== undefined) void fill(place, run, trend, page);
  return place;
}

async function fill(place: HTMLElement, run: RunEntry, trend: Trend, page: Page): Promise<void> {
  try {
    const anchor = (await page.data.run(run)).published?.anchor;
    const said = anchor === undefined ? [] : anchorLines(anchor, trend);
    if (anchor === undefined || said.length === 0) return;
    place.append(
      element('h3', { id: 'trend-anchor-title' }, `Since ${visible(anchor.name)}`),
      element('p', { class: 'quiet' }, `${visible(trend.metric.title)}, in the run of ${timeText(run.at)}`),
      element('ul', {}, ...said.map((text) => element('li', {}, text))),
    );
    place.hidden = false;
  } catch (error) {
    // The chart needs no file of a run: without one it says what it says.
    if (!(error instanceof UnreadableData)) throw error;
  }
}

/** `go · ping: +12.0 %, of which +8.0 % was accepted (3 runs)`; one for each endpoint, or case that is not judged with others. */
export function anchorLines(
  { changes }: PublishedAnchor,
  { lines, metric }: Pick<Trend, 'lines' | 'metric'>,
): string[] {
  const said = lines.flatMap((line) =>
    changes.flatMap((row) => {
      const found = Object.hasOwn(row.metrics, metric.name) ? row.metrics[metric.name]! : null;
      return found === null || !isOf(line, row) ? [] : [`${titleOf(line, row)}: ${changeSaid(found)}`];
    }),
  );
  return [...new Set(said)];
}

type Row = PublishedAnchor['changes'][number];

function changeSaid({ change, accepted, runs = 0, crept }: Row['metrics'][string]): string {
  const part =
    accepted === undefined ? '' : `, of which ${signedPercent(accepted)} was accepted (${counted(runs, 'run')})`;
  return `${signedPercent(change)}${part}${crept === true ? '; crept in, though no run was red' : ''}`;
}

function isOf({ case: own }: Line, { key, service, endpoint }: Row): boolean {
  return key === own.key || (key.includes('/*') && service === own.service && endpoint === own.endpoint);
}

/** Of an endpoint some cases may have another limit than the others, and are judged by themselves. */
function titleOf(line: Line, { key, service, endpoint }: Row): string {
  if (key === line.case.key) return line.title;
  const [, limit] = key.split('/*@');
  return visible(`${service} · ${endpoint}${limit === undefined ? '' : `, cases limited to ${limit}`}`);
}
