import { element } from './element.ts';
import type { Page } from './view.ts';

/** A link to another state of the page, which loads nothing again; with a key held down it opens beside this one as any link. */
export function viewLink(
  page: Page,
  text: string,
  changes: Readonly<Record<string, string | null>>,
): HTMLAnchorElement {
  const link = element('a', { href: page.href(changes) }, text);
  link.addEventListener('click', (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    page.go(changes);
  });
  return link;
}
