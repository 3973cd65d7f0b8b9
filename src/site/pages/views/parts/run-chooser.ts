import type { RunRecord } from '../../../../core/record/run-record.ts';
import { failureNotice, notice } from '../../element.ts';
import { type Page, type RunEntry, UnreadableData } from '../../view.ts';
import { button, labelledSelect } from './controls.ts';
import { fetchOlder, hasOlder, runsWithFiles, runTitle } from './runs.ts';

/** Runs that a list shows: more would take longer to look through than to go by the trend. */
const MOST_LISTED = 300;

export interface ChooserOptions {
  id: string;
  label: string;
  entry: RunEntry;
  choose(id: string): void;
}

/** All runs that were fetched, the newest first. */
export function runChooser(page: Page, { id, label, entry, choose }: ChooserOptions): HTMLElement {
  const listed = runsWithFiles(page).slice(0, MOST_LISTED);
  const runs = listed.includes(entry) ? listed : [...listed, entry];
  const options = runs.map((run) => ({ value: run.id, text: runTitle(run) }));
  return labelledSelect({ id, label, options, value: entry.id, choose });
}

/** Null where all runs are listed. */
export function olderButton(page: Page): HTMLElement | null {
  if (!hasOlder(page) || runsWithFiles(page).length >= MOST_LISTED) return null;
  const made = button('older-runs', 'List older runs', () => {
    made.disabled = true;
    void fetchOlder(page).then(() => {
      page.announce(`${runsWithFiles(page).length} runs are listed.`);
      page.go({}, 'replace');
    });
  });
  return made;
}

/** The record, or what says why it cannot be read. */
export async function recordOf(page: Page, entry: RunEntry): Promise<RunRecord | HTMLElement> {
  if (entry.imported) {
    return notice(
      `The run ${entry.id} was imported from another tool, which kept its figures alone. The trend shows them.`,
    );
  }
  try {
    return await page.data.run(entry);
  } catch (error) {
    if (error instanceof UnreadableData) return failureNotice(error);
    throw error;
  }
}
