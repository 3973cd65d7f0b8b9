import type { InvokedRequest, RequestSet } from '../requests/request-set.ts';
import type { GeneratorDefinition } from './definition.ts';

/**
 * Why a generator cannot send the requests of a set, as a sentence; null where it can. `script`: the user's own for it, `what`: `The
 * requests of articles`.
 */
export function whyUnsendable(
  { name, requestSets }: Pick<GeneratorDefinition, 'name' | 'requestSets'>,
  { requests }: RequestSet,
  { script, what }: { script: string | null; what: string },
): string | null {
  if (script !== null) {
    return `${what} differ from each other, and the script of load.${name} sends requests of its own: leave one of the two out.`;
  }
  if (requestSets === 'any') return null;
  if (requestSets === 'none') {
    return `${what} differ from each other, and ${name} sends one URL again and again: measure them with wrk or k6.`;
  }
  const [first] = requests;
  if (requests.every((request) => isSameButForPath(request, first!))) return null;
  return `${what} differ in more than their URLs, and ${name} takes a list of URLs alone: measure them with wrk or k6, or name an endpoint for each method and body.`;
}

function isSameButForPath(one: InvokedRequest, other: InvokedRequest): boolean {
  return (
    one === other ||
    (one.method === other.method &&
      one.body === other.body &&
      isSameBytes(one.bodyBytes, other.bodyBytes) &&
      (one.headers === other.headers || JSON.stringify(one.headers) === JSON.stringify(other.headers)))
  );
}

function isSameBytes(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === other) return true;
  return one?.byteLength === other?.byteLength && one!.every((byte, at) => byte === other![at]);
}
