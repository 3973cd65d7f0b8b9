import { filesOfContent, MOST_BODY_BYTES } from '../requests/content/content.ts';
import { multipartContent } from '../requests/content/multipart.ts';
import type { FileRequest } from '../requests/files/file-request.ts';
import { fileRequests, MOST_FILE_BYTES } from '../requests/files/request-file.ts';
import { stratifiedOrder } from '../requests/order.ts';
import { placeholdersOf, type Row, withRow } from '../requests/placeholders.ts';
import { type RequestSet, refuseUnboundedRequests, UnusableRequests } from '../requests/request-set.ts';
import { rowsOf, rowsOfStatement, type StatementRows } from '../requests/rows.ts';
import { type Random, seededRandom } from '../statistics/random.ts';
import { isStatement } from './endpoint-values.ts';
import type { Endpoint } from './resolved.ts';

/** An endpoint as it is asked: what the spec only names was read. */
export interface AskedEndpoint extends Endpoint {
  /** Its body where that is no text. */
  bodyBytes?: Uint8Array;
  /** What is sent in its place, where its requests differ from each other: each with the answer that is expected of it. */
  requestSet?: RequestSet<AskedEndpoint>;
}

/** Where it is read. */
export interface RequestSources {
  /** Of the spec, for a mix. */
  endpoints: readonly Endpoint[];
  /** Content of a file of the checkout. Rejects with `UnusableRequests`. */
  file(path: string, mostBytes: number): Promise<Uint8Array>;
  /** What a statement gives. Rejects with `UnusableRequests`. */
  rows(sql: string): Promise<StatementRows>;
}

/** Whether there is something to be read, or made, before it can be asked. */
export function isUnread({ content, values, requests, mix }: Endpoint): boolean {
  return (content ?? values ?? requests ?? mix) !== undefined;
}

/**
 * The order of the requests of an endpoint is the same in every run, so that what the first 200 of them cost can be held against what
 * they cost in an earlier one.
 */
const SEED = 20_261_129;

/** One that is asked as it stands is itself. Rejects with `UnusableRequests`. */
export async function askedEndpoint(endpoint: Endpoint, sources: RequestSources): Promise<AskedEndpoint> {
  if (!isUnread(endpoint)) return endpoint;
  const random = seededRandom(SEED);
  if (endpoint.mix === undefined) {
    const { requests, weights } = await requestsOf(endpoint, sources);
    return isOne(endpoint) ? requests[0]! : withSet(endpoint, [{ weight: 1, requests, weights }], random);
  }
  const strata: AskedStratum[] = [];
  for (const [name, weight] of Object.entries(endpoint.mix)) {
    const member = sources.endpoints.find((each) => each.name === name);
    if (member === undefined || member.mix !== undefined) {
      throw new UnusableRequests(
        `The mix ${endpoint.name} names ${name}, which is ${member === undefined ? 'no endpoint of the spec' : 'a mix itself'}.`,
      );
    }
    strata.push({ weight, ...(await requestsOf(member, sources)) });
  }
  return withSet(endpoint, strata, random);
}

function isOne({ values, requests }: Endpoint): boolean {
  return values === undefined && requests === undefined;
}

interface WeightedRequests {
  requests: AskedEndpoint[];
  weights: number[];
}
interface AskedStratum extends WeightedRequests {
  weight: number;
}

function withSet(endpoint: Endpoint, strata: readonly AskedStratum[], random: Random): AskedEndpoint {
  const requests = strata.flatMap((stratum) => stratum.requests);
  refuseUnboundedRequests(requests, `The requests of ${endpoint.name}`);
  return { ...endpoint, requestSet: { requests, order: stratifiedOrder(strata, random) } };
}

/** Of an endpoint that is no mix. */
async function requestsOf(endpoint: Endpoint, sources: RequestSources): Promise<WeightedRequests> {
  if (endpoint.requests !== undefined) return await ofFile(endpoint, endpoint.requests, sources);
  const rows = await rowsOfValues(endpoint, sources);
  // Values may stand in its path and headers, while its body is a file's.
  const whole = await withContent(withoutSources(endpoint), sources);
  const requests = rows === null ? [whole] : rows.map((row) => withRow(whole, row));
  return { requests, weights: requests.map(() => 1) };
}

/** As a request of its own. */
function withoutSources({ content, values: _values, requests: _requests, ...endpoint }: Endpoint): Endpoint {
  return { ...endpoint, ...(content === undefined ? {} : { content }) };
}

async function rowsOfValues(endpoint: Endpoint, { rows }: RequestSources): Promise<Row[] | null> {
  const { values, name, path } = endpoint;
  if (values === undefined) return null;
  const what = `The values of ${name}`;
  if (isStatement(values)) {
    const { sql } = values;
    const found = await rows(sql);
    const inPath = placeholdersOf(path);
    // Further columns may stand in headers and body.
    const placeholders = found.columns.length === 1 ? inPath : [...new Set([...inPath, ...found.columns])];
    return rowsOfStatement(found, { sql, placeholders, what });
  }
  const columns: Record<string, string[]> = {};
  for (const [placeholder, each] of Object.entries(values)) {
    columns[placeholder] = Array.isArray(each)
      ? each
      : rowsOfStatement(await rows(each.sql), { sql: each.sql, placeholders: [placeholder], what }).map(
          (row) => row[placeholder]!,
        );
  }
  return rowsOf(columns, what);
}

async function ofFile(endpoint: Endpoint, path: string, sources: RequestSources): Promise<WeightedRequests> {
  const found = fileRequests(await sources.file(path, MOST_FILE_BYTES), path);
  refuseUnboundedRequests(
    found.map(({ path: target, headers }) => ({ ...endpoint, path: target, headers })),
    `The requests of ${path}`,
  );
  const bodies = new Map<string, Uint8Array>();
  for (const { bodyFile } of found) {
    if (bodyFile === undefined || bodies.has(bodyFile)) continue;
    bodies.set(bodyFile, await sources.file(bodyFile, MOST_BODY_BYTES));
  }
  const base = { ...withoutSources(endpoint), path: endpoint.path.replace(/\/$/, '') };
  return {
    requests: found.map((each) => ofFileRequest(base, each, bodies)),
    weights: found.map(({ weight }) => weight),
  };
}

function ofFileRequest(base: Endpoint, asked: FileRequest, bodies: ReadonlyMap<string, Uint8Array>): AskedEndpoint {
  const { method = base.method, path, headers, status, bodyFile } = asked;
  const body = bodyFile === undefined ? (asked.body ?? base.body) : bodies.get(bodyFile)!;
  return {
    ...withBody({ ...base, method, path: base.path + path, headers: mergedHeaders(base.headers, headers) }, body),
    expect: status === undefined ? base.expect : { ...base.expect, status },
  };
}

/** The second's win; names have no case. */
function mergedHeaders(common: Record<string, string>, own: Record<string, string>): Record<string, string> {
  if (Object.keys(own).length === 0) return common;
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const kept = Object.entries(common).filter(([name]) => !names.has(name.toLowerCase()));
  return Object.fromEntries([...kept, ...Object.entries(own)]);
}

async function withContent({ content, ...endpoint }: Endpoint, sources: RequestSources): Promise<AskedEndpoint> {
  if (content === undefined) return endpoint;
  const files = new Map<string, Uint8Array>();
  for (const path of filesOfContent(content)) files.set(path, await sources.file(path, MOST_BODY_BYTES));
  if (content.kind === 'file') return withBody(endpoint, files.get(content.file)!);
  const { body, contentType } = multipartContent(content.parts, files);
  return withBody({ ...endpoint, headers: mergedHeaders(endpoint.headers, { 'Content-Type': contentType }) }, body);
}

/** As text where it is text, so that it is shown and filled in as such. */
function withBody(endpoint: Endpoint, body: string | Uint8Array | null): AskedEndpoint {
  if (body === null || typeof body === 'string') return { ...endpoint, body };
  try {
    return { ...endpoint, body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body) };
  } catch {
    return { ...endpoint, body: null, bodyBytes: body };
  }
}
