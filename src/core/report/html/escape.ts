import { visible } from '../../format/text.ts';

/** Plain text for an element's content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return escapeMarkup(visible(text));
}

/** As it stands, spaces and all: for lines that `visibleLines` has been over. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** JSON for a `<script type="application/json">`: nothing in it can end the element or open a comment. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
