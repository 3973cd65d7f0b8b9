import { Chart } from 'chart.js';
import type { PageData, PagePanel } from '../core/report/html/page-data.ts';
import { chartOf, description, heightOf } from './chart.ts';
import { chartKinds } from './chart-kinds.ts';
import { palette, prefersDark } from './palette.ts';

/** The page's script: charts over the tables that are in the page already. Without it nothing is missing but these. */

const data = JSON.parse(element('page-data').textContent ?? '') as PageData;
let drawn: Chart[] = [];
let shown: PagePanel | null = null;

if (data.panels.length > 0) {
  element('charts').hidden = false;
  choices(data.panels, element('controls'), (panel) => {
    shown = panel;
    element('chosen').textContent = panel.title;
    element('chosen-table').replaceChildren(tableOf(panel));
    draw(false);
  });
  prefersDark.addEventListener('change', () => draw(false));
  window.addEventListener('beforeprint', () => draw(true));
  window.addEventListener('afterprint', () => draw(false));
}

function draw(printing: boolean): void {
  if (shown === null) return;
  for (const chart of drawn) chart.destroy();
  drawn = [];
  const list = element('chart-list');
  list.replaceChildren();
  for (const kind of chartKinds) {
    const configuration = chartOf(kind, shown.rows, palette(printing), window.innerWidth);
    if (configuration === null) continue;
    const canvas = document.createElement('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', description(kind, shown.rows));
    const frame = document.createElement('div');
    frame.className = 'canvas';
    frame.style.height = `${heightOf(kind, shown.rows)}px`;
    frame.append(canvas);
    const note = document.createElement('small');
    note.textContent = kind.note;
    const caption = document.createElement('figcaption');
    caption.append(kind.title, note);
    const figure = document.createElement('figure');
    figure.append(caption, frame);
    list.append(figure);
    drawn.push(new Chart(canvas, configuration));
  }
}

/** The panel's own table, once more beside the charts. */
function tableOf({ id }: PagePanel): Node {
  const region = element(`${id}-table`).parentElement!.cloneNode(true) as HTMLElement;
  region.querySelector('table')?.removeAttribute('id');
  return region;
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}.`);
  return found;
}

/**
 * A list for each thing that tells the panels apart. Whatever is chosen in one, there is always a panel to show: the one
 * that has it and is otherwise nearest to what was shown before.
 */
function choices(panels: PagePanel[], container: HTMLElement, show: (panel: PagePanel) => void): void {
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
