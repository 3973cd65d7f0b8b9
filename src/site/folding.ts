/** A link to what is folded unfolds it, in browsers that do not do so by themselves as well. */
export function unfoldTargets(): void {
  const unfold = () => {
    const id = decodeURIComponent(window.location.hash.slice(1));
    const target = id === '' ? null : document.getElementById(id);
    for (let each = target?.closest('details'); each; each = each.parentElement?.closest('details')) each.open = true;
    target?.scrollIntoView();
  };
  window.addEventListener('hashchange', unfold);
  if (window.location.hash !== '') unfold();
}

/** Nobody can unfold paper. Afterwards all is as it was. */
export function unfoldForPrint({ before, after }: { before(): void; after(): void }): void {
  let unfolded: HTMLDetailsElement[] = [];
  window.addEventListener('beforeprint', () => {
    unfolded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const each of unfolded) each.open = true;
    before();
  });
  window.addEventListener('afterprint', () => {
    for (const each of unfolded) each.open = false;
    unfolded = [];
    after();
  });
}
