import { element } from './element.ts';

/** A button that saves a text as a file; the text is made when it is wanted. */
export function downloadButton(title: string, fileName: string, type: string, text: () => string): HTMLButtonElement {
  const button = element('button', { type: 'button' }, title);
  button.addEventListener('click', () => {
    const address = URL.createObjectURL(new Blob([text()], { type }));
    element('a', { href: address, download: fileName }).click();
    // The browser has taken it by then.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  });
  return button;
}
