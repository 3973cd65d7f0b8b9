import type { PublishedTexts } from '../../../../core/publication/raw-text.ts';
import type { Block } from '../../../../core/report/document.ts';
import { element, failureNotice, notice } from '../../element.ts';
import { type Page, type RunEntry, UnreadableData } from '../../view.ts';
import { rendered } from '../parts/rendered.ts';

/** What the generators printed, folded: it is loaded when somebody unfolds it, and most never do. */
export function rawTexts(page: Page, entry: RunEntry): HTMLElement {
  const texts = element('div', { id: 'raw-texts' });
  const title = element('summary', {}, element('h2', {}, 'What the generators printed'));
  const details = element('details', {}, title, texts);
  let asked = false;
  const ask = () => {
    asked = true;
    texts.replaceChildren(element('p', { class: 'loading' }, 'Loading …'));
    void loaded(page, entry, ask).then((shown) => {
      texts.replaceChildren(shown);
      // What could not be loaded may be there when it is unfolded again.
      if (shown instanceof HTMLElement) asked = false;
    });
  };
  details.addEventListener('toggle', () => {
    if (details.open && !asked) ask();
  });
  return element('section', { class: 'folded' }, details);
}

/** A fragment with the texts; an element that says why they are not here. Never rejects. */
async function loaded(page: Page, entry: RunEntry, again: () => void): Promise<DocumentFragment | HTMLElement> {
  try {
    return rendered(blocksOf(await page.data.rawTexts(entry)));
  } catch (error) {
    if (error instanceof UnreadableData) return failureNotice(error, again);
    return notice(`These texts could not be drawn, which is a defect of wrkbench: ${String(error)}.`);
  }
}

/** A file may come from anybody: names and texts are shown, and nothing else is done with them. */
function blocksOf({ files, leftOut, leftOutCount }: PublishedTexts): Block[] {
  const shown = Object.entries(files).map(
    ([path, text]): Block => ({
      kind: 'details',
      summary: nameOf(path),
      blocks: [{ kind: 'code', language: '', text }],
    }),
  );
  if (leftOutCount === 0) return shown;
  const items = leftOut.map(({ path, reason }) => `${nameOf(path)}: ${reason}`);
  const more = leftOutCount - leftOut.length;
  return [
    ...shown,
    { kind: 'paragraph', text: 'Not kept here; the folder or artifact of the run has them:' },
    { kind: 'list', items: [...items, ...(more > 0 ? [`and ${more} more`] : [])] },
  ];
}

/** All lie in `raw/`. */
function nameOf(path: string): string {
  return path.replace(/^raw\//, '');
}
