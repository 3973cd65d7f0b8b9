import { type InvokedRequest, UnusableRequests } from './request-set.ts';

/** A value for each placeholder. */
export type Row = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{([A-Za-z_][A-Za-z0-9_-]{0,63})\}/g;
const CONTROL = /(?!\t)\p{Cc}/u;

/** Names that stand in braces in a path, each once. */
export function placeholdersOf(path: string): string[] {
  return [...new Set(Array.from(path.matchAll(PLACEHOLDER), ([, name]) => name!))];
}

/**
 * The request with the row's values in its path, headers and body; what stands in braces there and is no placeholder stays. In the path they
 * are percent-encoded, so that none adds a segment or a parameter; in a body they are escaped as its content type wants it. Throws
 * `UnusableRequests` for a value that no header can hold.
 */
export function withRow<Request extends InvokedRequest>(request: Request, row: Row): Request {
  const { path, headers, body } = request;
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const inBody = escapingOf(type);
  return {
    ...request,
    path: replaced(path, row, pathSegment),
    headers: Object.values(headers).some((value) => value.includes('{'))
      ? Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            replaced(value, row, (each) => headerValue(each, name)),
          ]),
        )
      : headers,
    body: body === null ? null : replaced(body, row, inBody),
  };
}

function replaced(text: string, row: Row, written: (value: string) => string): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(row, name) ? written(row[name]!) : whole,
  );
}

/** Throws `UnusableRequests` for what a server takes for a step in the path, encoded or not. */
function pathSegment(value: string): string {
  if (value === '.' || value === '..') {
    throw new UnusableRequests(
      `A value for the path is “${value}”, which servers take for a step to another path: leave it out.`,
    );
  }
  return encodeURIComponent(wellFormed(value)).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Half of a character that UTF-16 has in two is none. */
function wellFormed(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

function headerValue(value: string, name: string): string {
  if (!CONTROL.test(value)) return value;
  throw new UnusableRequests(
    `A value for the header ${name} holds a line break or another control character: no header can hold it.`,
  );
}

function escapingOf(contentType: string): (value: string) => string {
  if (/\bjson\b/i.test(contentType)) return (value) => JSON.stringify(value).slice(1, -1);
  if (/x-www-form-urlencoded/i.test(contentType)) return (value) => encodeURIComponent(wellFormed(value));
  return (value) => value;
}
