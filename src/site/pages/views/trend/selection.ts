import { visible } from '../../../../core/format/text.ts';
import { element, outwardLink } from '../../element.ts';
import { metricFigure, timeText } from '../../metric-figure.ts';
import type { Page, RunEntry } from '../../view.ts';
import { viewLink } from '../../view-link.ts';
import { commitAddress, commitsAddress, pullRequestAddress, releaseAddress } from '../../web-links.ts';
import { changeText, levelChange } from './drawings.ts';
import { type Mark, markOf, markStyles } from './marks.ts';
import { acceptedOf, type Line, type Trend } from './model.ts';

/** All that is known of one run: where it came from, its figures, and where to read on. */
export function runDetails(trend: Trend, place: number, page: Page): Node[] {
  const run = trend.runs[place]!;
  const { manifest } = page.data;
  const facts: [string, Node | string][] = [];
  if (run.sha !== null) facts.push(['Commit', outwardLink(run.sha.slice(0, 12), commitAddress(manifest, run.sha))]);
  if (run.pullRequest !== null) {
    facts.push(['Pull request', outwardLink(`#${run.pullRequest}`, pullRequestAddress(manifest, run.pullRequest))]);
  }
  if (run.release !== null) {
    facts.push(['Release', outwardLink(visible(run.release), releaseAddress(manifest, run.release))]);
  }
  if (run.cpu !== '') facts.push(['CPU', visible(run.cpu)]);
  if (run.passed !== null) facts.push(['Gate', run.passed ? 'passed' : 'failed']);
  for (const { cases, reason } of acceptedOf(run, trend.metric)) {
    facts.push(['Accepted', `${visible(cases)}: ${visible(reason)}`]);
  }
  for (const line of trend.lines) {
    const found = levelChange(trend, line, place);
    if (found !== null) facts.push(['Change point', levelFact(trend, line, found, page)]);
  }
  const more = run.imported
    ? element('p', { class: 'quiet' }, 'Imported from another tool, which kept no more of it.')
    : element(
        'p',
        {},
        viewLink(page, 'Open this run', { view: 'run', run: run.id }),
        ' · ',
        viewLink(page, 'Compare it', { view: 'compare', head: run.id }),
      );
  return [
    element('h3', { id: 'trend-run-title' }, `Run of ${timeText(run.at)}`),
    element(
      'dl',
      { class: 'facts' },
      ...facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    ),
    figuresTable(trend, place),
    more,
  ];
}

/** `-11.8 %, ping, 9d8e7f6..3f2c1ab`, with a link to what was committed between them. */
function levelFact(
  { lines }: Trend,
  { title }: Line,
  { said, commits }: NonNullable<ReturnType<typeof levelChange>>,
  page: Page,
): Node {
  const text = `${said}${lines.length > 1 ? `, ${title}` : ''}`;
  if (commits === null) return element('span', {}, text);
  const address = commitsAddress(page.data.manifest, commits.from, commits.to);
  return element('span', {}, `${text}, `, outwardLink(commits.range, address));
}

function figuresTable({ runs, lines, metric }: Trend, place: number): HTMLElement {
  const head = ['Case', visible(metric.title), 'Change', 'Verdict'];
  const rows = lines.map((line) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', class: 'left' }, line.title),
      element('td', { class: 'right', 'data-title': head[1]! }, figureText(line, place)),
      element('td', { class: 'right', 'data-title': head[2]! }, changeText(line, place) || '–'),
      element('td', { class: 'left', 'data-title': head[3]! }, verdictText(runs[place]!, line, place)),
    ),
  );
  const region = scrolling(
    'Figures of this run',
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...head.map((text, index) =>
            element('th', { scope: 'col', class: index === 0 || index === 3 ? 'left' : 'right' }, text),
          ),
        ),
      ),
      element('tbody', {}, ...rows),
    ),
  );
  region.classList.add('stacks');
  return region;
}

export function figureText(line: Line, place: number): string {
  const figure = line.figures[place]!;
  return Number.isNaN(figure) ? '–' : metricFigure(line.metric, figure);
}

/** What was found, and what the figure is marked with. */
export function verdictText(run: Pick<RunEntry, 'passed'>, line: Line, place: number): string {
  const mark = markOf(line, place);
  const verdict = line.columns.verdict[place];
  const said = [
    ...(verdict === null || verdict === undefined || verdict === mark ? [] : [verdict.replaceAll('-', ' ')]),
    ...(mark === null ? [] : [markText(run, mark)]),
  ];
  return said.join(', ') || '–';
}

/** `▼ regression`; `▼ regression, accepted` of a run that passed all the same. `change` stands after the word, with a space before it. */
export function markText({ passed }: Pick<RunEntry, 'passed'>, mark: Mark, change = ''): string {
  const accepted = mark === 'regression' && passed === true ? ', accepted' : '';
  return `${markStyles[mark].sign} ${mark.replaceAll('-', ' ')}${change}${accepted}`;
}

/** A table scrolls by itself, and by the keyboard, where the screen is too narrow for it. */
export function scrolling(label: string, table: HTMLTableElement): HTMLElement {
  return element('div', { class: 'scroll', role: 'region', 'aria-label': label, tabindex: 0 }, table);
}
