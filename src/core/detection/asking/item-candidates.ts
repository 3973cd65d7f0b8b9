import type { EndpointSources } from '../endpoints.ts';
import type { Api } from '../open-api.ts';
import {
  type AskedCandidate,
  distinctCandidates,
  type EndpointCandidate,
  readingCandidate,
} from './endpoint-candidate.ts';
import { itemPathOf, listPathOf } from './found-in-answers.ts';

/** A path with one parameter that a document or a file names. */
export interface ItemTemplate {
  template: string;
  from: string;
}

/** Paths with an id that an answer has shown. */
const MOST_ITEMS = 8;

/** A document's own paths are below its base path, or at the root where that is a gateway's. */
export function itemTemplates(
  apis: readonly Api[],
  { routes }: Pick<EndpointSources, 'routes'>,
  basePath: string,
): ItemTemplate[] {
  return [
    ...apis.flatMap(({ items, basePath: prefix, from }) =>
      items.flatMap((item) => [...new Set([`${prefix}${item}`, item])].map((template) => ({ template, from }))),
    ),
    ...routes
      .filter(({ method }) => method === 'GET')
      .map(({ path, from }) => ({ template: `${basePath}${path}`, from })),
  ];
}

/** What is sent to one item, with the item's place in its path. */
export type InnerRequest = ItemTemplate & Pick<EndpointCandidate, 'method' | 'headers' | 'body'>;

export function innerRequests(apis: readonly Api[]): InnerRequest[] {
  return apis.flatMap(({ inner, basePath, from }) =>
    inner.flatMap(({ path, ...request }) =>
      [...new Set([`${basePath}${path}`, path])].map((template) => ({ ...request, template, from })),
    ),
  );
}

/** Items with the first id of the list that they belong to; not those that were made and asked for already. */
export function itemCandidates(
  asked: readonly AskedCandidate[],
  templates: readonly ItemTemplate[],
): EndpointCandidate[] {
  const bodies = new Map(
    asked.flatMap(({ candidate, outcome }) =>
      typeof outcome === 'string' || candidate.method !== 'GET'
        ? []
        : [[candidate.path.split('?')[0]!.replace(/\/$/, ''), outcome.body] as const],
    ),
  );
  const found = templates.flatMap(({ template, from }) => {
    const list = listPathOf(template);
    const body = list === null ? undefined : bodies.get(list);
    const path = body === undefined ? null : itemPathOf(template, body);
    return path === null ? [] : [readingCandidate(path, from)];
  });
  const before = new Set(asked.map(({ candidate }) => candidate.path));
  const made = asked.flatMap(({ candidate: { written } }) => written ?? []);
  return distinctCandidates(found)
    .filter(({ path }) => !before.has(path) && !made.some((written) => isAlike(written, path)))
    .slice(0, MOST_ITEMS);
}

/** `/items/${prepare.id}` is `/items/1`. */
function isAlike(written: string, path: string): boolean {
  const [own, other] = [written, path].map((each) => each.split('/')) as [string[], string[]];
  return own.length === other.length && own.every((part, at) => part === other[at] || part.startsWith('${prepare.'));
}
