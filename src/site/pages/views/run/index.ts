import type { RunRecord } from '../../../../core/record/run-record.ts';
import { contests, nearest } from '../../../../core/report/analysis/contest.ts';
import { csv } from '../../../../core/report/csv.ts';
import { heatMetrics } from '../../../../core/report/pages/cases.ts';
import { runPage } from '../../../../core/report/pages/run.ts';
import { viewOf } from '../../../../core/report/view.ts';
import { element, notice } from '../../element.ts';
import { hasResult } from '../../measured-runs.ts';
import type { Page, RunEntry, State, View } from '../../view.ts';
import { viewLink } from '../../view-link.ts';
import { contestControls, unknownChoices } from '../parts/contest-controls.ts';
import { controls, labelledSelect } from '../parts/controls.ts';
import { downloads } from '../parts/downloads.ts';
import { foldedSections, rendered, renderedSections } from '../parts/rendered.ts';
import { olderButton, recordOf, runChooser } from '../parts/run-chooser.ts';
import { runFacts } from '../parts/run-facts.ts';
import { asked, findRun, runBefore, runsWithFiles, runTitle } from '../parts/runs.ts';
import { rawTexts } from './raw-texts.ts';

/** All that is known of one run. */
export const run: View = {
  name: 'run',
  title: 'Run',
  async show(into, state, page) {
    const found = await findRun(page, { id: asked(state, 'run'), commit: asked(state, 'commit'), shows: hasResult });
    into.append(element('h2', {}, 'Run'));
    if (found === null) {
      into.append(notice('No run was published yet.'));
      return;
    }
    const { entry, instead } = found;
    if (instead !== null) into.append(notice(instead));
    const [record, neighbours] = await Promise.all([recordOf(page, entry), neighboursOf(page, entry)]);
    into.append(
      controls(
        'Run',
        runChooser(page, { id: 'choose-run', label: 'Run', entry, choose: (id) => page.go({ run: id, commit: null }) }),
        stepLink(page, 'previous-run', '← Previous', neighbours.previous),
        stepLink(page, 'next-run', 'Next →', neighbours.next),
        olderButton(page),
      ),
      runFacts(page, entry, record instanceof HTMLElement ? null : record),
    );
    if (record instanceof HTMLElement) into.append(record);
    else {
      drawRun(into, state, page, record, neighbours.previous);
      if (record.published?.raw === true) into.append(rawTexts(page, entry));
    }
    page.announce(`Run ${runTitle(entry)}`);
  },
};

interface Neighbours {
  previous: RunEntry | null;
  next: RunEntry | null;
}

async function neighboursOf(page: Page, entry: RunEntry): Promise<Neighbours> {
  const previous = await runBefore(page, entry);
  return { previous, next: runsWithFiles(page).findLast(({ id }) => id > entry.id) ?? null };
}

function stepLink(page: Page, id: string, text: string, to: RunEntry | null): HTMLElement {
  if (to === null) return element('span', { id, class: 'step none', 'aria-disabled': 'true' }, text);
  const link = viewLink(page, text, { run: to.id, commit: null });
  link.id = id;
  link.className = 'step';
  link.title = runTitle(to);
  return link;
}

const DEFAULT_METRIC = 'throughput';

function drawRun(into: HTMLElement, state: State, page: Page, record: RunRecord, previous: RunEntry | null): void {
  const view = viewOf(record);
  const all = contests(view);
  const chosen = nearest(all, state);
  const metrics = heatMetrics(view);
  const wanted = asked(state, 'metric') ?? DEFAULT_METRIC;
  const metric = metrics.find(({ name }) => name === wanted) ?? metrics[0];
  const shown = runPage(record, view, chosen?.chosen ?? null, metric?.name ?? DEFAULT_METRIC);
  const lead = rendered([{ kind: 'paragraph', text: shown.headline }]);
  lead.firstElementChild?.classList.add('lead');
  into.append(lead);
  if (previous !== null) {
    const changes = { view: 'compare', base: previous.id, head: record.id };
    into.append(element('p', {}, viewLink(page, 'Compare with the previous run', changes)));
  }
  into.append(renderedSections(shown.leading));
  if (shown.heatMap !== null && metric !== undefined) {
    const section = renderedSections([shown.heatMap]);
    section.querySelector('h2')?.after(
      controls(
        'Metric of all cases',
        labelledSelect({
          id: 'choose-metric',
          label: 'Metric',
          options: metrics.map(({ name, title }) => ({ value: name, text: title })),
          value: metric.name,
          choose: (name) => page.go({ metric: name }),
        }),
      ),
      ...(metric.name === wanted || asked(state, 'metric') === undefined
        ? []
        : [notice(`This run has no metric “${wanted.slice(0, 80)}”. Shown is ${metric.title}.`)]),
    );
    into.append(
      section,
      downloads({
        name: `run-${record.id}`,
        csv: () => csv(record),
        json: () => `${JSON.stringify(record, null, 2)}\n`,
      }),
    );
  }
  if (chosen !== null && shown.ofContest.length > 0) {
    const selects = contestControls(page, all, chosen.chosen);
    const unknown = unknownChoices(chosen);
    into.append(
      // Where there is one load, the sections say all of it.
      ...(selects.length === 0
        ? []
        : [element('h2', {}, 'One load in detail'), controls('Load in detail', ...selects)]),
      ...(unknown === null ? [] : [unknown]),
      renderedSections(shown.ofContest),
    );
  }
  into.append(renderedSections(shown.following));
  if (shown.folded.length > 0) into.append(element('h2', {}, 'The report'), foldedSections(shown.folded));
}
