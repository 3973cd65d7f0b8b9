import { byKey, sortKey } from './sort-key.ts';

/** Tables whose heads are buttons: up, down, and back to the order of the report. Those of `root` that are none yet. */
export function sortableTables(root: ParentNode = document): void {
  for (const table of root.querySelectorAll<HTMLTableElement>('table:not(.mixed)')) {
    if ((table.tBodies[0]?.rows.length ?? 0) < 2) continue;
    for (const head of table.querySelectorAll('thead th:not(:has(> button))')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
    }
  }
  // Of the document, so that copies of tables sort as well; added but once, being the same function.
  document.addEventListener('click', sortClicked);
}

function sortClicked({ target }: Event): void {
  const head = target instanceof Element ? target.closest<HTMLTableCellElement>('thead th:has(> button)') : null;
  if (head !== null && target instanceof Element && target.closest('button') !== null) sortBy(head);
}

/** Table → its rows as the report has them. */
const reported = new WeakMap<HTMLTableElement, HTMLTableRowElement[]>();

function sortBy(head: HTMLTableCellElement): void {
  const table = head.closest('table')!;
  const body = table.tBodies[0]!;
  const rows = reported.get(table) ?? [...body.rows];
  reported.set(table, rows);
  const next = { none: 'ascending', ascending: 'descending', descending: 'none' } as const;
  const order = next[(head.getAttribute('aria-sort') ?? 'none') as keyof typeof next];
  for (const each of table.querySelectorAll('[aria-sort]')) each.removeAttribute('aria-sort');
  if (order !== 'none') head.setAttribute('aria-sort', order);
  table.classList.toggle('sorted', order !== 'none');
  const isFigure = head.classList.contains('right');
  const keyed = rows.map((row) => ({ row, key: sortKey(row.cells[head.cellIndex]?.textContent ?? '', isFigure) }));
  const sorted = order === 'none' ? keyed : keyed.sort((one, other) => byKey(one.key, other.key, order));
  body.append(...sorted.map(({ row }) => row));
}
