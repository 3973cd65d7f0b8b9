/** Above tables in which some rows changed and others did not: a box that leaves the others out. */
export function changedOnly(root: ParentNode = document): void {
  for (const table of root.querySelectorAll('table:has(tr[data-unchanged])')) {
    const rows = [...table.querySelectorAll<HTMLTableRowElement>('tbody tr')];
    const unchanged = rows.filter((row) => row.hasAttribute('data-unchanged'));
    const region = table.parentElement;
    if (unchanged.length === rows.length || region === null) continue;
    const box = document.createElement('input');
    box.type = 'checkbox';
    const label = document.createElement('label');
    label.append(box, 'Changed only');
    const count = document.createElement('span');
    count.setAttribute('role', 'status');
    box.addEventListener('change', () => {
      for (const row of unchanged) row.hidden = box.checked;
      // The row that names what goes on for several may be left out.
      table.classList.toggle('filtered', box.checked);
      count.textContent = box.checked ? `${rows.length - unchanged.length} of ${rows.length} rows` : '';
    });
    const controls = document.createElement('div');
    controls.className = 'changed-only';
    controls.append(label, count);
    region.before(controls);
  }
}
