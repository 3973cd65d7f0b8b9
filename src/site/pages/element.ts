import { UnloadedData, type UnreadableData } from './view.ts';

type Attributes = Readonly<Record<string, string | number | boolean | null>>;
type Child = Node | string | null;

/**
 * An element of the page. Whatever is a text stays one, since nothing here is read as HTML; null and false leave an attribute or a child
 * out, true writes it without a value.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A link that leaves the page where the address is one of the web; the text alone where it is none. */
export function outwardLink(text: string, address: string | null): Node {
  if (address === null) return document.createTextNode(text);
  return element('a', { href: address, rel: 'noreferrer' }, text);
}

/** Says in place of something, or above it, that it is not as it should be. */
export function notice(sentence: string): HTMLElement {
  return element('p', { class: 'warning' }, sentence);
}

/** The same of what could not be read, with a button where it may be there the next time. By itself `again` loads the page anew. */
export function failureNotice(error: UnreadableData, again = () => location.reload()): HTMLElement {
  return withRetry(notice(error.message), error, again);
}

/** The notice with a button, where what it is about did not arrive. */
export function withRetry(made: HTMLElement, error: unknown, again = () => location.reload()): HTMLElement {
  if (!(error instanceof UnloadedData)) return made;
  const button = element('button', { type: 'button' }, 'Try again');
  button.addEventListener('click', again);
  made.append(' ', button);
  return made;
}
