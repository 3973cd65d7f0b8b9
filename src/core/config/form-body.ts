import { apartFromValues } from './request-values.ts';

/** What a form is sent as. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The fields as a browser sends them. Values that are still to be filled in stay, and are encoded then. */
export function formBody(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${apartFromValues(value, encodeURIComponent)}`)
    .join('&');
}
