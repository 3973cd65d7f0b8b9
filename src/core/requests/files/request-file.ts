import { UnusableRequests } from '../request-set.ts';
import type { FileRequest } from './file-request.ts';
import { harRequests } from './har.ts';
import { jsonLineRequests } from './json-lines.ts';
import { filledLines } from './lines.ts';
import { listedRequests } from './url-list.ts';
import { TARGET, vegetaTargets } from './vegeta.ts';

/** Of a file of requests; a log of more is of no more use. */
export const MOST_FILE_BYTES = 64 * 1024 ** 2;

/**
 * The requests of a file in any of the forms that people have them in, which its first line tells apart:
 *
 *     {"path": …}           JSON lines, ours or vegeta's
 *     {"log": …}            an HTTP Archive
 *     GET http://…          vegeta's http format
 *     /items, http://…      a list of paths or URLs
 *
 * Throws `UnusableRequests`.
 */
export function fileRequests(content: Uint8Array, file: string): FileRequest[] {
  const text = decoded(content, file);
  const first = filledLines(text.slice(0, LOOKED_AT)).find(({ item }) => !item.startsWith('#'))?.item;
  if (first === undefined) throw new UnusableRequests(`${file} holds no request.`);
  if (/\.har$/i.test(file) || /^\{\s*("log"|$)/.test(first)) return harRequests(text, file);
  if (first.startsWith('{')) return jsonLineRequests(text, file);
  return TARGET.test(first) ? vegetaTargets(text, file) : listedRequests(text, file);
}

const LOOKED_AT = 1 << 16;

function decoded(content: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new UnusableRequests(`${file} is not text in UTF-8, as each form of a list of requests is.`);
  }
}
