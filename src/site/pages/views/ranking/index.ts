import type { RunRecord } from '../../../../core/record/run-record.ts';
import { type Contest, contests, nearest } from '../../../../core/report/analysis/contest.ts';
import { inlineText } from '../../../../core/report/inline-text.ts';
import { denominators, rankingPage } from '../../../../core/report/pages/ranking.ts';
import { viewOf } from '../../../../core/report/view.ts';
import { element, notice } from '../../element.ts';
import type { Page, RunEntry, State, View } from '../../view.ts';
import { contestControls, unknownChoices } from '../parts/contest-controls.ts';
import { controls, labelledSelect } from '../parts/controls.ts';
import { downloads, sheetOffer } from '../parts/downloads.ts';
import { pastFigures } from '../parts/past-figures.ts';
import { rendered, renderedSections } from '../parts/rendered.ts';
import { olderButton, recordOf, runChooser } from '../parts/run-chooser.ts';
import { asked, findRun } from '../parts/runs.ts';

/** Who answers the most requests in a run, and at what cost. */
export const ranking: View = {
  name: 'ranking',
  title: 'Ranking',
  async show(into, state, page) {
    const found = await findRun(page, { id: asked(state, 'run') });
    into.append(element('h2', {}, 'Ranking'));
    if (found === null) {
      into.append(notice('No run was published yet, so there is nothing to rank.'));
      return;
    }
    const { entry, instead } = found;
    const record = await recordOf(page, entry);
    const chooser = runChooser(page, { id: 'choose-run', label: 'Run', entry, choose: (run) => page.go({ run }) });
    if (instead !== null) into.append(notice(instead));
    if (record instanceof HTMLElement) into.append(controls('Run', chooser, olderButton(page)), record);
    else drawRun(into, state, page, { entry, record, chooser });
  },
};

interface Shown {
  entry: RunEntry;
  record: RunRecord;
  chooser: HTMLElement;
}

function drawRun(into: HTMLElement, state: State, page: Page, { entry, record, chooser }: Shown): void {
  const view = viewOf(record);
  const all = contests(view);
  const chosen = nearest(all, state);
  if (chosen === null) {
    into.append(
      controls('Run', chooser, olderButton(page)),
      notice('This run measured no case, so there is nothing to rank.'),
    );
    return;
  }
  const contest = chosen.chosen;
  const wanted = asked(state, 'relative-to') ?? null;
  const ranked = rankingPage(view, contest, wanted, pastFigures(page, entry));
  const unknown = unknownChoices(chosen);
  into.append(
    controls(
      'What is ranked',
      chooser,
      ...contestControls(page, all, contest),
      relativeTo(page, contest, wanted),
      olderButton(page),
    ),
    ...(unknown === null ? [] : [unknown]),
  );
  const lead = rendered([{ kind: 'paragraph', text: ranked.lead }]);
  lead.firstElementChild?.classList.add('lead');
  into.append(
    lead,
    rendered(ranked.blocks),
    downloads(sheetOffer(`ranking-${entry.id}`, ranked.sheet)),
    renderedSections(ranked.sections),
  );
  page.announce(inlineText(ranked.lead));
}

/** Null where there is nothing to choose. */
function relativeTo(page: Page, contest: Contest, wanted: string | null): HTMLElement | null {
  const labels = denominators(contest);
  if (labels.length < 2 || contest.openModel) return null;
  const first = contest.rows.find(({ rank }) => rank === 1)?.label ?? labels[0]!;
  const value = wanted !== null && labels.includes(wanted) ? wanted : first;
  const options = labels.map((label) => ({ value: label, text: label }));
  return labelledSelect({
    id: 'choose-relative-to',
    label: 'Ratios to',
    options,
    value,
    choose: (label) => page.go({ 'relative-to': label }),
  });
}
