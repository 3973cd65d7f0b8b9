import { Chart } from 'chart.js';
import type { PageData, PagePanel } from '../core/report/html/page-data.ts';
import { chartOf, description, heightOf } from './chart.ts';
import { type ChartKind, chartKinds } from './chart-kinds.ts';
import { palette, prefersDark } from './palette.ts';

/** Shows the section; `setPrinting` draws it again, light where it is for paper. */
export function chartsSection({ panels, first, showsResources }: PageData): { setPrinting(isPrinting: boolean): void } {
  const opening = panels[first];
  if (opening === undefined) return { setPrinting: () => undefined };
  let printing = false;
  let shown = opening;
  let drawn: Chart[] = [];
  const resources = element('resource-charts') as HTMLDetailsElement;

  const draw = () => {
    for (const chart of drawn) chart.destroy();
    const own = chartKinds.filter(({ isOfResources }) => !isOfResources);
    const ofResources = chartKinds.filter(({ isOfResources }) => isOfResources);
    drawn = [
      ...drawAll(own, shown, element('chart-list'), printing),
      ...drawAll(ofResources, shown, element('resource-chart-list'), printing),
    ];
    resources.hidden = element('resource-chart-list').childElementCount === 0;
    element('charts-note').hidden = shown.rows.every(({ baseline }) => baseline === null);
  };

  for (const hidden of document.querySelectorAll<HTMLElement>('#charts, nav a[href="#charts"]')) hidden.hidden = false;
  resources.open = showsResources;
  choices(panels, opening, element('controls'), (panel) => {
    shown = panel;
    element('chosen').textContent = panel.title;
    element('chosen-table').replaceChildren(tableOf(panel));
    draw();
  });
  resources.addEventListener('toggle', draw);
  prefersDark.addEventListener('change', draw);
  return {
    setPrinting: (isPrinting) => {
      printing = isPrinting;
      draw();
    },
  };
}

/** A figure for each kind that has something to show; drawn only where it is seen, since a folded canvas has no size. */
function drawAll(kinds: ChartKind[], { rows }: PagePanel, list: HTMLElement, printing: boolean): Chart[] {
  list.replaceChildren();
  return kinds.flatMap((kind): Chart[] => {
    const configuration = chartOf(kind, rows, palette(printing), window.innerWidth);
    if (configuration === null) return [];
    const frame = document.createElement('div');
    frame.className = 'canvas';
    frame.style.height = `${heightOf(kind, rows)}px`;
    const note = document.createElement('small');
    note.textContent = kind.note;
    const caption = document.createElement('figcaption');
    caption.append(kind.title, note);
    const figure = document.createElement('figure');
    figure.append(caption, frame);
    list.append(figure);
    if (list.closest('details:not([open])') !== null) return [];
    const canvas = document.createElement('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', description(kind, rows));
    frame.append(canvas);
    return [new Chart(canvas, configuration)];
  });
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
function choices(
  panels: PagePanel[],
  first: PagePanel,
  container: HTMLElement,
  show: (panel: PagePanel) => void,
): void {
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
