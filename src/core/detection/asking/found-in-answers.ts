import { asMap, isRequestPath } from '../files.ts';
import { parametersOf } from '../routes/route.ts';
import { parsed } from './answers.ts';
import { type EndpointCandidate, readingCandidate } from './endpoint-candidate.ts';

/** Of one answer. */
const MOST_LINKS = 20;
const MOST_VALUES = 500;

/** Paths of the same service that an answer names, as HAL, JSON:API and the root of a Django REST API do; one level of them. */
export function linkedCandidates(path: string, body: string, ownHost: string): EndpointCandidate[] {
  const found = new Set<string>();
  let left = MOST_VALUES;
  const visit = (value: unknown, depth: number): void => {
    if (depth > 4 || left === 0 || found.size >= MOST_LINKS) return;
    left -= 1;
    const link = typeof value === 'string' ? linkOf(value, ownHost) : null;
    if (link !== null && link !== path) found.add(link);
    else if (value !== null && typeof value === 'object') {
      for (const each of Object.values(value)) visit(each, depth + 1);
    }
  };
  visit(parsed(body), 0);
  return [...found].map((each) => readingCandidate(each, path));
}

function linkOf(text: string, ownHost: string): string | null {
  if (text.length > 500) return null;
  const [, host, path] = /^https?:\/\/([^/?#]*)(\/[^#]*)$/.exec(text) ?? [];
  const isOwn = host === ownHost || /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host ?? '');
  const own = host === undefined ? text : isOwn ? path! : '';
  return /^\/[\w~%.,;:@!$&'()*+=?/-]*[\w/=]$/.test(own) && isRequestPath(own) ? own : null;
}

/** Path of the list that a path with one parameter belongs to: `/items` of `/items/{id}`; null where it has no name. */
export function listPathOf(template: string): string | null {
  const at = template.indexOf('/{');
  return at > 0 && template.indexOf('{', at + 2) < 0 && !/\}[^/]/.test(template) ? template.slice(0, at) : null;
}

/** The path of a template with the first value that a list has for it; null where it has none that both sides would have. */
export function itemPathOf(template: string, listBody: string): string | null {
  const parameter = parametersOf(template)[0] ?? '';
  const [first] = itemsIn(parsed(listBody));
  const item = asMap(first);
  const own = parameter.replaceAll(/[^a-z]/gi, '').toLowerCase();
  const key = Object.keys(item).find((name) => name.replaceAll(/[^a-z]/gi, '').toLowerCase() === own);
  const names = [key, /slug|name|key|code/i.test(parameter) ? undefined : 'id', 'pk'];
  for (const name of names) {
    const value = name === undefined ? undefined : item[name];
    if (isStable(value)) return template.replace(/\{[^{}]*\}/, encodeURIComponent(String(value)));
  }
  return null;
}

/** How many items a list shows. */
export function itemCountIn(body: string): number {
  return itemsIn(parsed(body)).length;
}

/** The items of a list, or of the one list that a map has them in. */
function itemsIn(json: unknown): unknown[] {
  if (Array.isArray(json)) return json;
  const map = asMap(json);
  const named = ['results', 'data', 'items', 'content'].map((name) => map[name]).find((value) => Array.isArray(value));
  const lists = Object.values(map).filter((value) => Array.isArray(value));
  return (named as unknown[] | undefined) ?? (lists.length === 1 ? (lists[0] as unknown[]) : []);
}

/** Counted up from one, or a word that people chose: what is made anew at each start differs between both sides. */
function isStable(value: unknown): value is string | number {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value < 1_000_000;
  return typeof value === 'string' && /^(?:\d{1,6}|[a-z][a-z_-]{0,40})$/i.test(value);
}
