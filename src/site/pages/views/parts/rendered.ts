import type { Block, Section } from '../../../../core/report/document.ts';
import { blockHtml, foldedSectionHtml, sectionHtml } from '../../../../core/report/html/blocks.ts';
import { changedOnly } from '../../../changed-only.ts';
import { sortableTables } from '../../../sorting.ts';

/** Parts of a report as the page shows them: every text in them was escaped as it was written. */
export function rendered(blocks: readonly Block[]): DocumentFragment {
  return fragment(blocks.map(blockHtml).join('\n'));
}

export function renderedSections(sections: readonly Section[]): DocumentFragment {
  return fragment(sections.map(sectionHtml).join('\n'));
}

export function foldedSections(sections: readonly Section[]): DocumentFragment {
  return fragment(sections.map(foldedSectionHtml).join('\n'));
}

function fragment(html: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = html;
  sortableTables(template.content);
  changedOnly(template.content);
  return template.content;
}
