/** The page's script: charts over the tables that are in the page already. Without it nothing is missing but these. */
import { Chart } from 'chart.js';
import type { PageData, PagePanel } from '../core/report/html/page-data.ts';
import { chartOf, description, heightOf } from './chart.ts';
import { chartKinds } from './chart-kinds.ts';
import { choices } from './choices.ts';
import { palette, prefersDark } from './palette.ts';

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
