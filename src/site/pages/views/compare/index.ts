import { NotComparable } from '../../../../core/comparison/stored-conditions.ts';
import type { RunRecord } from '../../../../core/record/run-record.ts';
import { type ComparePage, comparePage } from '../../../../core/report/pages/compare.ts';
import { element, notice } from '../../element.ts';
import { hasFigures } from '../../measured-runs.ts';
import type { Page, RunEntry, State, View } from '../../view.ts';
import { button, controls, labelledSelect } from '../parts/controls.ts';
import { downloads, sheetOffer } from '../parts/downloads.ts';
import { renderedSections } from '../parts/rendered.ts';
import { olderButton, recordOf, runChooser } from '../parts/run-chooser.ts';
import { asked, type FoundRun, findRun, runBefore, runsWithFiles } from '../parts/runs.ts';

/** Any two runs, as far as they can be compared. */
export const compare: View = {
  name: 'compare',
  title: 'Compare',
  async show(into, state, page) {
    into.append(element('h2', {}, 'Compare two runs'));
    const head = await findRun(page, { id: asked(state, 'head') });
    if (head === null) {
      into.append(notice('No run was published yet, so there is nothing to compare.'));
      return;
    }
    const base = await baseOf(page, asked(state, 'base'), head.entry);
    if (base === null) {
      into.append(notice('One run was published. With the next one there will be two to compare.'));
      return;
    }
    const [was, is] = [base.entry, head.entry];
    into.append(
      controls(
        'Runs to compare',
        runChooser(page, {
          id: 'choose-base',
          label: 'First run',
          entry: was,
          choose: (id) => page.go({ base: id, head: is.id }),
        }),
        runChooser(page, {
          id: 'choose-head',
          label: 'Second run',
          entry: is,
          choose: (id) => page.go({ base: was.id, head: id }),
        }),
        button('swap-runs', 'Swap', () => page.go({ base: is.id, head: was.id })),
        olderButton(page),
      ),
      ...[base, head].flatMap(({ instead }) => (instead === null ? [] : [notice(instead)])),
    );
    const [one, other] = await Promise.all([recordOf(page, was), recordOf(page, is)]);
    if (one instanceof HTMLElement) into.append(one);
    if (other instanceof HTMLElement && was.id !== is.id) into.append(other);
    if (!(one instanceof HTMLElement || other instanceof HTMLElement)) drawChanges(into, state, page, one, other);
  },
};

/** As it is asked for, else the run before the head that has figures; null where there is no other. */
async function baseOf(page: Page, id: string | undefined, head: RunEntry): Promise<FoundRun | null> {
  const found = id === undefined ? null : await findRun(page, { id });
  if (found !== null && found.instead === null) return found;
  const others = () => runsWithFiles(page).filter((each) => each.id !== head.id);
  const entry = (await runBefore(page, head, hasFigures)) ?? others().find(hasFigures) ?? others()[0];
  if (entry === undefined) return null;
  const instead = found?.instead?.replace('Shown is the newest run.', 'Shown is the run before the second one.');
  return { entry, instead: instead ?? null };
}

function drawChanges(into: HTMLElement, state: State, page: Page, base: RunRecord, head: RunRecord): void {
  const wanted = asked(state, 'metric') ?? null;
  let shown: ComparePage;
  try {
    shown = comparePage(base, head, wanted);
  } catch (error) {
    if (!(error instanceof NotComparable)) throw error;
    into.append(notice(error.message));
    return;
  }
  const section = renderedSections([shown.changes]);
  const isOther = wanted !== null && shown.shown !== wanted;
  section.querySelector('h2')?.after(
    controls(
      'Metric of the figures',
      labelledSelect({
        id: 'choose-metric',
        label: 'Metric',
        options: [
          ...shown.metrics.map(({ name, title }) => ({ value: name, text: title })),
          { value: 'all', text: 'All metrics' },
        ],
        value: shown.shown ?? 'all',
        choose: (metric) => page.go({ metric }),
      }),
    ),
    ...(isOther ? [notice(`Neither run has a figure of “${wanted.slice(0, 80)}”. Another metric is shown.`)] : []),
  );
  into.append(
    renderedSections([shown.conditions, ...(shown.counts === null ? [] : [shown.counts])]),
    section,
    downloads(sheetOffer(`compare-${base.id}-${head.id}`, shown.sheet)),
  );
}
