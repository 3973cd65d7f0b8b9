import { apartFromValues } from '../request-values.ts';
import type { WrittenContent } from './content.ts';

/** What a form is sent as. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * The fields as browsers send them: https://url.spec.whatwg.org/#concept-urlencoded-serializer. Values that are still to be filled in
 * stay, and are encoded then.
 */
export function formBody(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encoded(name)}=${apartFromValues(value, encoded)}`)
    .join('&');
}

export function formContent(fields: Readonly<Record<string, string>>): WrittenContent & { body: string } {
  return { body: formBody(fields), contentType: FORM_TYPE };
}

function encoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
