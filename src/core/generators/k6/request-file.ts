import type { InvocationRequest } from '../definition.ts';
import { differingParts } from '../request.ts';

/** Requests that differ, for `templates/k6/asking-in-turn.k6.js`. */
export interface RequestFile {
  /** Beside the script. */
  name: string;
  /** What their answers are to have, each once. */
  statuses: number[];
  content: string;
}

/** JSON, in which a body that is no text stands in base64; undefined where a case has one request. */
export function requestFile(request: InvocationRequest, name: string): RequestFile | undefined {
  const { requestSet } = request.case.endpoint;
  if (requestSet === undefined) return undefined;
  const statuses = requestSet.requests.map(({ expect }) => expect.status);
  const requests = differingParts(request).map(({ method, url, headers, body }, at) => ({
    method,
    url,
    headers: Object.fromEntries(headers),
    ...(body === null || typeof body === 'string' ? { body } : { base64: base64Of(body) }),
    expectedStatus: statuses[at],
  }));
  const content = JSON.stringify({ requests, order: [...requestSet.order] });
  return { name, statuses: [...new Set(statuses)], content };
}

/** In pieces: a call takes only so many arguments. */
const PIECE = 0x8000;

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}
