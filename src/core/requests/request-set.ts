import { UserError } from '../user-error.ts';

/** A request as a generator has to know it. */
export interface InvokedRequest {
  method: string;
  /** Path and query, behind the service's base path. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
  /** Its body where that is no text; `body` is null then. */
  bodyBytes?: Uint8Array;
  expect: { status: number };
}

/**
 * Requests of one case that differ from each other, in the order in which they are sent, again from its beginning when it is at its
 * end. `Request` is what the rest of the program knows of each of them.
 */
export interface RequestSet<Request extends InvokedRequest = InvokedRequest> {
  /** Each different one once; at least one. */
  requests: readonly Request[];
  /** Places in `requests`: the more often one stands here, the more often it is sent. */
  order: Uint32Array;
}

/** So many different requests, and so many places in their order. */
export const MOST_REQUESTS = 100_000;
const MIB = 1024 ** 2;
/** Of paths, headers and bodies together. Each thread of wrk holds a copy. */
const MOST_REQUEST_BYTES = 32 * MIB;

/** What a spec names as its requests cannot be sent. The message is one sentence, or one for each line of a file. */
export class UnusableRequests extends UserError {
  override name = 'UnusableRequests';
}

/** The request at a place of the order, counted from 0 and on beyond its end. */
export function requestAt<Request extends InvokedRequest>({ requests, order }: RequestSet<Request>, place: number) {
  return requests[order[place % order.length]!]!;
}

/** Throws `UnusableRequests` where there are none, or more than a generator can be given. `what`: `The requests of articles`. */
export function refuseUnboundedRequests(requests: readonly InvokedRequest[], what: string): void {
  if (requests.length === 0) throw new UnusableRequests(`${what} are none: at least one is needed.`);
  if (requests.length > MOST_REQUESTS) {
    throw new UnusableRequests(
      `${what} are ${requests.length}, and ${MOST_REQUESTS} at most can be sent in turn: leave some out.`,
    );
  }
  const bytes = requests.reduce((sum, request) => sum + bytesOf(request), 0);
  if (bytes > MOST_REQUEST_BYTES) {
    throw new UnusableRequests(
      `${what} have ${Math.ceil(bytes / MIB)} MiB of paths, headers and bodies together, and ${MOST_REQUEST_BYTES / MIB} MiB at most can be sent in turn: leave some out.`,
    );
  }
}

/** Of text as many as there are characters, and more of what is no ASCII: near enough for a bound. */
function bytesOf({ path, headers, body, bodyBytes }: InvokedRequest): number {
  const ofHeaders = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return path.length + ofHeaders + (bodyBytes?.byteLength ?? body?.length ?? 0);
}
