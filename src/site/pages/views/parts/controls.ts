import { visible } from '../../../../core/format/text.ts';
import { element } from '../../element.ts';

export interface SelectOptions {
  /** Of the element: whoever was at it stays at it when the view is drawn again. */
  id: string;
  label: string;
  options: readonly { value: string; text: string }[];
  value: string;
  choose(value: string): void;
}

/** A list of the browser's own, under its name. */
export function labelledSelect({ id, label, options, value, choose }: SelectOptions): HTMLElement {
  const select = element('select', { id });
  for (const each of options) select.add(new Option(visible(each.text), each.value, false, each.value === value));
  select.addEventListener('change', () => choose(select.value));
  return element('label', {}, label, select);
}

export function button(id: string, text: string, press: () => void): HTMLButtonElement {
  const made = element('button', { id, type: 'button' }, text);
  made.addEventListener('click', press);
  return made;
}

/** What belongs together, in a row that wraps. */
export function controls(label: string, ...children: (Node | null)[]): HTMLElement {
  return element('div', { class: 'controls', role: 'group', 'aria-label': label }, ...children);
}
