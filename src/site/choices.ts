import type { PagePanel } from '../core/report/html/page-data.ts';

/**
 * A list for each thing that tells the panels apart. Whatever is chosen in one, there is always a panel to show: the one
 * that has it and is otherwise nearest to what was shown before.
 */
export function choices(panels: PagePanel[], container: HTMLElement, show: (panel: PagePanel) => void): void {
  const first = panels[0];
  if (first === undefined) return;
  let current = first;
  const selects = new Map<string, HTMLSelectElement>();
  for (const name of new Set(panels.flatMap((panel) => Object.keys(panel.choices)))) {
    const values = [...new Set(panels.flatMap((panel) => panel.choices[name] ?? []))];
    if (values.length < 2) continue;
    const select = document.createElement('select');
    for (const value of values) select.add(new Option(value, value));
    select.addEventListener('change', () => choose(nearest(panels, current, name, select.value)));
    const label = document.createElement('label');
    label.append(name, select);
    container.append(label);
    selects.set(name, select);
  }
  const choose = (panel: PagePanel) => {
    current = panel;
    for (const [name, select] of selects) select.value = panel.choices[name] ?? '';
    show(panel);
  };
  choose(first);
}

function nearest(panels: PagePanel[], current: PagePanel, name: string, value: string): PagePanel {
  const alike = (panel: PagePanel) =>
    Object.entries(panel.choices).filter(([other, choice]) => current.choices[other] === choice).length;
  return panels
    .filter((panel) => panel.choices[name] === value)
    .reduce((best, panel) => (alike(panel) > alike(best) ? panel : best));
}
