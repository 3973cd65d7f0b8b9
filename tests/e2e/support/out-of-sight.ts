import type { Page } from 'playwright-core';

/**
 * What a reader of the page as it is now would miss, or look for in vain: what is cut without a shade at the side where it goes on, or not
 * to be scrolled to; verdicts that have to be scrolled to; and headings with nothing under them.
 */
export async function outOfSight(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 60)}`;
    const cut = [...document.querySelectorAll<HTMLElement>('header *, main *, footer *')].flatMap((element) => {
      const { clientWidth, scrollWidth } = element;
      const { overflowX, backgroundAttachment, clipPath } = getComputedStyle(element);
      // A list of the browser's own opens; what is for those who listen is to be seen by nobody.
      const isOwn = element.matches('select, input') || clipPath !== 'none';
      if (overflowX === 'visible' || isOwn || clientWidth === 0 || scrollWidth <= clientWidth + 1) return [];
      if (overflowX === 'hidden' || overflowX === 'clip') return [`cut: ${nameOf(element)}`];
      if (element.matches('.stacks')) return [`has to be scrolled to: ${nameOf(element)}`];
      return backgroundAttachment.includes('local') ? [] : [`without a shade: ${nameOf(element)}`];
    });
    const levelOf = (node: Node) => (node instanceof Element ? (/^H([1-6])$/.exec(node.tagName)?.[1] ?? null) : null);
    const hasContent = (node: Node) =>
      node instanceof Element
        ? node.matches('canvas, svg, img, input, select, button')
        : node.textContent?.trim() !== '' && node.parentElement?.closest('h1, h2, h3, h4, noscript') === null;
    // What is folded may be made when it is unfolded.
    const unfolded = [...document.querySelectorAll('main h2, main h3')].filter(
      (heading) => heading.closest('summary')?.parentElement?.hasAttribute('open') !== false,
    );
    const empty = unfolded.filter((heading) => {
      const walker = document.createTreeWalker(document.querySelector('main')!);
      walker.currentNode = heading;
      while (walker.nextNode() !== null && heading.contains(walker.currentNode));
      for (let node: Node | null = walker.currentNode; node !== null; node = walker.nextNode()) {
        if (node === heading || heading.contains(node)) continue;
        const level = levelOf(node);
        // One of what is folded is content: it opens.
        if (node instanceof Element && node.matches('summary')) return false;
        if (level !== null && level <= levelOf(heading)!) return true;
        if (hasContent(node)) return false;
      }
      return true;
    });
    return [...cut, ...empty.map((heading) => `nothing under: ${nameOf(heading)}`)];
  });
}
