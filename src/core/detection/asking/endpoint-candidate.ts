import { isRequestPath } from '../files.ts';
import { type Api, apiIn } from '../open-api.ts';
import { type Method, parametersOf, type Route } from '../routes/route.ts';
import type { GoodAnswer, WayOut } from './answers.ts';
import { isNeverAsked } from './never-asked.ts';

/** A request that a service may answer, and is asked whether it does. Paths begin at the service's root. */
export interface EndpointCandidate {
  method: Method;
  path: string;
  /** Asked where `path` is not there: whether a document's base path is the service's own, only the service knows. */
  elsewhere: string | null;
  headers: Record<string, string>;
  body: string | null;
  /** Document, file or answer that shows it. */
  from: string;
  /** It was answered to whoever had logged in, by the header that it has. */
  needsLogin?: boolean;
  /** The path as a spec has it, where what was made now stands in `path`: `/items/${prepare.id}`. */
  written?: string;
}

/** A candidate with what came of asking for it twice. */
export interface AskedCandidate {
  candidate: EndpointCandidate;
  outcome: GoodAnswer | WayOut;
  /** Whether the database was asked for it; null where nobody knows. */
  usesDatabase: boolean | null;
}

export interface KeptCandidate extends AskedCandidate {
  outcome: GoodAnswer;
}

interface CandidateSources {
  /** Documents, those that the service itself has answered with first. */
  apis: readonly Api[];
  routes: readonly Route[];
  /** Put before every route by the service's settings. */
  basePath: string;
}

/** Requests that read: those without a parameter. */
export const MOST_READING = 30;
/** Requests that write, each of which changes what the others find. */
const MOST_WRITING = 4;

/** Where frameworks and well-known applications put the document of a service's API, the usual ones first. */
const DOCUMENTS = [
  '/openapi.json',
  '/v3/api-docs',
  '/swagger/v1/swagger.json',
  '/openapi/v1.json',
  '/swagger.json',
  '/api/openapi.json',
  '/api/v1/openapi.json',
  '/openapi.yaml',
  '/swagger/doc.json',
  '/api/schema/?format=json',
  '/schema/?format=json',
  '/api-docs',
  '/api-json',
  '/docs-json',
  '/documentation/json',
  '/api/docs.json',
  '/api/v1/docs.json',
  '/api/swagger.json',
  '/api/v1/swagger.json',
  '/docs/openapi.json',
  '/docs/swagger.json',
  '/docs/api.json',
  '/api/doc.json',
  '/q/openapi',
  '/openapi',
  '/apispec_1.json',
  '/swagger.v1.json',
  '/server/specs/oas',
];

/** Where a document may be, at the root and below each base path that files name. */
export function documentPaths(basePaths: readonly string[]): string[] {
  const all = [...new Set(['', ...basePaths.filter(isRequestPath).map((path) => path.replace(/\/+$/, ''))])];
  const prefixes = all.slice(0, 3);
  return DOCUMENTS.flatMap((path) => prefixes.map((prefix) => `${prefix}${path}`));
}

/** What an answer describes, where it is a document; null where it is none. */
export function apiOfAnswer(path: string, body: string): Api | null {
  if (/^\s*</.test(body)) return null;
  return apiIn({ path, content: body });
}

/** Requests that read, each once: some of each part of the API, rather than all of one. */
export function readingCandidates({ apis, routes, basePath }: CandidateSources): EndpointCandidate[] {
  const described = candidatesOf(apis, (method) => method === 'GET');
  const read = routes
    .filter(({ method, path }) => method === 'GET' && parametersOf(path).length === 0)
    .map(({ path, from }) => readingCandidate(`${basePath}${path}`, from));
  // Pages, of which there may be many, send to a login more often than not.
  const ofApis = read.filter(({ path }) => isOfAnApi(path));
  const others = read.filter(({ path }) => !isOfAnApi(path));
  return distinctCandidates([...spread(described), ...spread(ofApis), ...spread(others)]);
}

const OF_API = /(?:^|\/)(?:api|rest|v\d{1,2})(?:\/|$)/i;

/** Of documents alone, since only they have an example of the body. What is deleted is gone the second time. */
export function writingCandidates({ apis }: CandidateSources): EndpointCandidate[] {
  return distinctCandidates(candidatesOf(apis, (method) => method !== 'GET' && method !== 'DELETE')).slice(
    0,
    MOST_WRITING,
  );
}

export function postingCandidates(apis: readonly Api[]): EndpointCandidate[] {
  return candidatesOf(apis, (method) => method === 'POST');
}

/** Requests that make an item, where the paths show that there are items: also those whose body is filled in. */
export function itemMakingCandidates(apis: readonly Api[]): EndpointCandidate[] {
  return apis.flatMap((api) => {
    const lists = new Set(api.items.map((template) => template.slice(0, template.indexOf('/{'))));
    const read = api.endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path.replace(/\/$/, ''));
    const known = read.filter((path) => lists.has(path));
    const putting = api.endpoints.filter(({ method }) => method === 'PUT');
    const making = [...putting, ...api.unshown].filter(({ path }) => known.includes(path.replace(/\/$/, '')));
    return making.map((endpoint) => ofApi(api, endpoint));
  });
}

function candidatesOf(apis: readonly Api[], isWanted: (method: Method) => boolean): EndpointCandidate[] {
  return apis.flatMap((api) =>
    api.endpoints.filter(({ method }) => isWanted(method)).map((endpoint) => ofApi(api, endpoint)),
  );
}

function ofApi({ basePath, from }: Api, { method, path, headers, body }: Api['unshown'][number]): EndpointCandidate {
  const elsewhere = basePath === '' ? null : path;
  return { method, path: `${basePath}${path}`, elsewhere, headers, body, from };
}

export function readingCandidate(path: string, from: string): EndpointCandidate {
  return { method: 'GET', path, elsewhere: null, headers: {}, body: null, from };
}

/** Those that may be asked for, each once. */
export function distinctCandidates(candidates: readonly EndpointCandidate[]): EndpointCandidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ method, path }) => {
    const key = `${method} ${path}`;
    if (seen.has(key) || !isRequestPath(path) || isNeverAsked(path)) return false;
    seen.add(key);
    return true;
  });
}

/** In turn one of each family, a list before what is below it. */
function spread(candidates: readonly EndpointCandidate[]): EndpointCandidate[] {
  const seen = new Map<string, number>();
  const depth = ({ path }: EndpointCandidate) => path.split('?')[0]!.split('/').length;
  const ranked = candidates
    .map((candidate, order) => ({ candidate, order, rank: 0 }))
    .sort((a, b) => depth(a.candidate) - depth(b.candidate) || a.order - b.order);
  for (const one of ranked) {
    const family = familyOf(one.candidate.path);
    one.rank = seen.get(family) ?? 0;
    seen.set(family, one.rank + 1);
  }
  return ranked.sort((a, b) => a.rank - b.rank || a.order - b.order).map(({ candidate }) => candidate);
}

/** Below what only APIs are called. */
export function isOfAnApi(path: string): boolean {
  return OF_API.test(path);
}

/** The first part of a path behind the API's own name: `users` of `/api/v1/users/me` and of `/shop/api/users`. */
export function familyOf(path: string): string {
  const parts = path.split(/[/?]/).filter((part) => part !== '');
  const behind = parts.slice(0, 2).findLastIndex((part) => /^(?:api|rest)$/i.test(part)) + 1;
  return parts.slice(behind).find((part) => !/^(?:v\d[\w.]*|public)$/i.test(part)) ?? '';
}

/** POST that asks for something of what was made, as its name says. */
export function isAskingPath(path: string): boolean {
  return /\/(?:batch-)?(?:search|quer(?:y|ies)|list|read|check|find|expand|count|lookup|filter|evaluate)(?:$|[-_?])/i.test(
    path,
  );
}
