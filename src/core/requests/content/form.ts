import type { WrittenContent } from './content.ts';

/** A form as browsers send one: https://url.spec.whatwg.org/#concept-urlencoded-serializer */
export function formContent(fields: Readonly<Record<string, string>>): WrittenContent & { body: string } {
  return { body: new URLSearchParams(fields).toString(), contentType: 'application/x-www-form-urlencoded' };
}
