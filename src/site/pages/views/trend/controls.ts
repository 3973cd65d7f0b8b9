import type { Manifest } from '../../../../core/publication/manifest.ts';
import { listText } from '../../address.ts';
import { caseTitle } from '../../case-title.ts';
import { element } from '../../element.ts';
import type { Page } from '../../view.ts';
import { type Choose, dayInput } from './day-input.ts';
import { followsTheMachine } from './normalising.ts';
import { MOST_LINES, type Question } from './question.ts';
import { NEWEST } from './range.ts';

/** What is shown: metric, cases, axis, and how. Each control has an id, by which the page gives it the focus back. */
export function controls(question: Question, page: Page): HTMLElement {
  const { cases, metrics } = page.data.manifest;
  const metric = metrics[question.metric]!;
  return element(
    'div',
    { class: 'controls' },
    select(
      'Metric',
      'trend-metric',
      metrics.map(({ name, title }) => [name, title]),
      metric.name,
      (name) => page.go({ metric: name }),
    ),
    select(
      'Along',
      'trend-axis',
      [
        ['commits', 'commits, evenly'],
        ['time', 'time'],
      ],
      question.axis,
      (axis) => page.go({ axis: axis === 'commits' ? null : axis }),
    ),
    casePicker(question, cases, page),
    element(
      'div',
      { class: 'checks', role: 'group', 'aria-label': 'How it is drawn' },
      checkbox('Band', 'trend-band', question.band, true, (on) => page.go({ band: on ? null : 'off' })),
      checkbox('Axis from 0', 'trend-zero', question.fromZero, true, (on) => page.go({ zero: on ? 'on' : null })),
      checkbox(
        'Normalised by the reference',
        'trend-normalised',
        question.normalised,
        followsTheMachine(metric),
        (on) => page.go({ normalised: on ? 'on' : null }),
      ),
    ),
  );
}

/** Which runs: the newest ones, all, or those between two days. */
export function rangeControls(question: Question, days: readonly [string, string], page: Page): HTMLElement {
  const { range } = question;
  const total = page.data.manifest.months.reduce((sum, { runs }) => sum + runs, 0);
  const newest = (count: number) =>
    button(`Newest ${count}`, `trend-last-${count}`, range.kind === 'newest' && range.count === count, () =>
      page.go({ last: count === NEWEST ? null : String(count), from: null, to: null }),
    );
  const day = (label: string, id: string, value: string, choose: Choose) =>
    element('label', {}, label, dayInput(id, value, choose));
  const [from, to] = days;
  return element(
    'div',
    { class: 'controls range', role: 'group', 'aria-label': 'Range' },
    element(
      'div',
      { class: 'buttons' },
      ...[NEWEST, 500].filter((count) => count === NEWEST || count < total).map(newest),
      button('All', 'trend-last-all', range.kind === 'all', () => page.go({ last: 'all', from: null, to: null })),
    ),
    day('From', 'trend-from', from, (value, how) =>
      page.go({ from: value, to: range.kind === 'between' ? to : null, last: null }, how),
    ),
    day('To', 'trend-to', to, (value, how) => page.go({ from, to: value, last: null }, how)),
  );
}

/** Open or not, and what is searched for: it stays as it was while the charts are drawn again. */
let pickerIsOpen = false;
let searched = '';

function casePicker(question: Question, cases: Manifest['cases'], page: Page): HTMLElement {
  const rows = cases.map((each, place) => {
    const isChosen = question.cases.includes(place);
    const isFull = question.cases.length >= MOST_LINES && !isChosen;
    const title = `${caseTitle(each)}${each.reference ? ' (reference)' : ''}`;
    const row = checkbox(title, `trend-case-${place}`, isChosen, !isFull, (on) => {
      const next = on ? [...question.cases, place] : question.cases.filter((other) => other !== place);
      page.go({ case: next.length === 0 ? null : listText(next.map((other) => cases[other]!.key)) });
    });
    return { row, text: title.toLowerCase() };
  });
  const search = element('input', {
    type: 'search',
    id: 'trend-search',
    placeholder: 'Find a case',
    'aria-label': 'Find a case',
  });
  search.value = searched;
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const { row, text } of rows) row.hidden = !words.every((word) => text.includes(word));
  };
  search.addEventListener('input', () => {
    searched = search.value;
    filter();
  });
  filter();
  const picker = element(
    'details',
    { class: 'picker' },
    element('summary', { id: 'trend-cases' }, `Cases: ${question.cases.length} of ${cases.length}`),
    element(
      'div',
      { class: 'options' },
      ...(cases.length > 8 ? [search] : []),
      element('p', { class: 'quiet' }, `Up to ${MOST_LINES} on one chart.`),
      element('div', { class: 'scroll', role: 'group', 'aria-label': 'Cases' }, ...rows.map(({ row }) => row)),
    ),
  );
  picker.open = pickerIsOpen;
  picker.addEventListener('toggle', () => {
    pickerIsOpen = picker.open;
  });
  return picker;
}

export function select(
  label: string,
  id: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
  choose: (value: string) => void,
): HTMLElement {
  const list = element('select', { id }, ...options.map(([value, text]) => element('option', { value }, text)));
  list.value = chosen;
  list.addEventListener('change', () => choose(list.value));
  return element('label', {}, label, list);
}

function checkbox(
  label: string,
  id: string,
  isOn: boolean,
  isPossible: boolean,
  choose: (isOn: boolean) => void,
): HTMLElement {
  const box = element('input', { type: 'checkbox', id, disabled: !isPossible });
  box.checked = isOn;
  box.addEventListener('change', () => choose(box.checked));
  return element('label', { class: 'check' }, box, element('span', {}, label));
}

export function button(label: string, id: string, isPressed: boolean | null, press: () => void): HTMLButtonElement {
  const made = element(
    'button',
    { type: 'button', id, 'aria-pressed': isPressed === null ? null : String(isPressed) },
    label,
  );
  made.addEventListener('click', press);
  return made;
}
