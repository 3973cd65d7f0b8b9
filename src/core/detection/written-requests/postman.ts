import { mapOf } from '../file-map.ts';
import { asList, asMap, type RepositoryFile, textOf } from '../files.ts';
import { methodOf } from '../routes/route.ts';
import { requestFilledIn, type WrittenRequest } from './written-request.ts';

const MOST = 500;
const DEEPEST = 10;

/** The requests of a collection; none where the file is another. Format: https://schema.postman.com/collection/json/v2.1.0/docs/ */
export function postmanRequests(file: RepositoryFile): WrittenRequest[] {
  const collection = mapOf(file);
  if (!/postman|getpostman/.test(textOf(asMap(collection.info).schema))) return [];
  const values = new Map(
    asList(collection.variable).map((each) => [textOf(asMap(each).key), textOf(asMap(each).value)]),
  );
  const found: WrittenRequest[] = [];
  const visit = (items: unknown, auth: unknown, depth: number): void => {
    for (const written of asList(items)) {
      if (found.length === MOST) return;
      const item = asMap(written);
      const own = item.auth ?? auth;
      if (item.item !== undefined && depth < DEEPEST) visit(item.item, own, depth + 1);
      const request = requestOf(asMap(item.request), own);
      if (request !== null) found.push(requestFilledIn(request, values));
    }
  };
  visit(collection.item, collection.auth, 0);
  return found;
}

function requestOf(
  { method, url, header, body, auth }: Record<string, unknown>,
  above: unknown,
): WrittenRequest | null {
  const known = methodOf(textOf(method ?? 'GET'));
  const address = typeof url === 'string' ? url : textOf(asMap(url).raw);
  if (known === null || address === '') return null;
  const headers = asList(header)
    .map(asMap)
    .filter(({ disabled }) => disabled !== true)
    .map(({ key, value }) => [textOf(key), textOf(value)] as const);
  const way = textOf(asMap(auth ?? above).type);
  const locked = way === '' || way === 'noauth' ? [] : [['authorization', way] as const];
  return { method: known, url: address, headers: [...headers, ...locked], body: bodyOf(asMap(body)) };
}

function bodyOf({ mode, raw, urlencoded }: Record<string, unknown>): string | null {
  if (mode === 'raw' && textOf(raw).trim() !== '') return textOf(raw);
  if (mode !== 'urlencoded') return null;
  const fields = asList(urlencoded).map((each) => [textOf(asMap(each).key), textOf(asMap(each).value)]);
  return new URLSearchParams(fields).toString();
}
