import { element } from '../../element.ts';

const FIRST = '2000-01-01';
const LAST = '2999-12-31';

/** `push` as what a reader has chosen; `note` and then `replace` where the page may be drawn anew only later. */
export type Choose = (day: string | null, how: 'push' | 'note' | 'replace') => void;

/**
 * A day that is picked or typed. What is picked counts at once; what the keyboard makes of it counts with Enter, or when the field is
 * left: each key is a change, and a field that is made anew after each cannot be typed into.
 */
export function dayInput(id: string, value: string, choose: Choose): HTMLInputElement {
  const input = element('input', { type: 'date', id, value, min: FIRST, max: LAST });
  let known = value;
  let isTyped = false;
  /** The day as it now is, or undefined where it is no other than before, or is unfinished. */
  const chosen = (): string | null | undefined => {
    const isUnfinished = input.validity.badInput || (input.value !== '' && input.value < FIRST);
    if (isUnfinished || input.value === known) return undefined;
    known = input.value;
    return known === '' ? null : known;
  };
  const apply = () => {
    const day = chosen();
    if (day !== undefined) choose(day, 'push');
  };
  input.addEventListener('pointerdown', () => {
    isTyped = false;
  });
  input.addEventListener('keydown', ({ key }) => {
    isTyped = key !== 'Enter';
    if (key === 'Enter') apply();
  });
  input.addEventListener('change', () => {
    if (!isTyped) apply();
  });
  input.addEventListener('blur', () => {
    isTyped = false;
    // The next control has the focus by then, and keeps it.
    if (!isPointerDown()) setTimeout(apply);
    else applyOnRelease(input, chosen(), choose);
  });
  return input;
}

function isPointerDown(): boolean {
  return document.documentElement.matches(':active');
}

/** A button that is made anew while it is pressed is never clicked. Whatever it does, it finds the day in the address. */
function applyOnRelease(input: HTMLInputElement, day: string | null | undefined, choose: Choose): void {
  if (day === undefined) return;
  choose(day, 'note');
  const redraw = () => {
    if (input.isConnected) choose(day, 'replace');
  };
  window.addEventListener('pointerup', () => setTimeout(redraw), { once: true });
}
