import { isMap } from '../../plain-data.ts';
import {
  base64Bytes,
  type FileRequest,
  headersOf,
  LineProblem,
  methodOf,
  pathOf,
  readEach,
  statusOf,
  weightOf,
} from './file-request.ts';
import { filledLines } from './lines.ts';

/**
 * A JSON object on each line:
 *
 *     {"method": "POST", "path": "/items", "headers": {"content-type": "application/json"}, "body": {"name": "x"}, "weight": 2, "status": 201}
 *
 * A body is text, or any other JSON value, which is sent as such; `bodyBase64` is for one that is no text. What vegeta calls its JSON format
 * (`url`, `header` with lists, `body` in base64) is read as well. Throws `UnusableRequests`.
 */
export function jsonLineRequests(text: string, file: string): FileRequest[] {
  return readEach(file, filledLines(text), requestOf);
}

function requestOf(line: string): FileRequest {
  const value = parsed(line);
  const isVegeta = value.url !== undefined && value.path === undefined;
  return {
    ...(value.method === undefined ? {} : { method: methodOf(value.method) }),
    path: pathOf(isVegeta ? value.url : value.path),
    headers: headersOf(isVegeta ? (value.header ?? value.headers) : value.headers),
    body: isVegeta ? vegetaBody(value.body) : bodyOf(value),
    weight: weightOf(value.weight),
    ...statusOf(value.status),
  };
}

function parsed(line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new LineProblem('is not JSON: expected an object such as {"path": "/items"} on each line');
  }
  if (isMap(value)) return value;
  throw new LineProblem('is no object: expected one such as {"path": "/items"} on each line');
}

function bodyOf({ body, bodyBase64 }: Record<string, unknown>): FileRequest['body'] {
  if (typeof bodyBase64 === 'string') return base64Bytes(bodyBase64);
  if (body === undefined || body === null) return null;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function vegetaBody(body: unknown): FileRequest['body'] {
  if (body === undefined || body === null || body === '') return null;
  if (typeof body !== 'string') throw new LineProblem('has a body that is no text: vegeta has it in base64');
  return base64Bytes(body);
}
