import { isMap } from '../../plain-data.ts';
import { UnusableRequests } from '../request-set.ts';
import { base64Bytes, type FileRequest, headerOf, methodOf, pathOf, readEach, statusOf } from './file-request.ts';

/** What a browser adds for itself, and what depends on the connection: a server is asked for the application's own. */
const OF_THE_BROWSER =
  /^(?::|accept-encoding$|connection$|content-length$|host$|sec-|upgrade-insecure-requests$|user-agent$|te$|pragma$|cache-control$|if-)/i;

/**
 * Requests of a browser's recording (HTTP Archive 1.2), each with the status that it was answered with, 304 as 200. Line numbers are those of
 * entries. Throws `UnusableRequests`.
 */
export function harRequests(text: string, file: string): FileRequest[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnusableRequests(`${file} is not valid JSON, which an HTTP Archive is.`);
  }
  const entries = isMap(value) && isMap(value.log) && Array.isArray(value.log.entries) ? value.log.entries : null;
  if (entries === null) throw new UnusableRequests(`${file} is no HTTP Archive: it has no log.entries.`);
  return readEach(
    file,
    entries.map((item: unknown, index) => ({ line: index + 1, item })),
    (entry) => (isMap(entry) && isMap(entry.request) ? requestOf(entry.request, entry.response) : null),
  );
}

function requestOf({ method, url, headers, postData }: Record<string, unknown>, response: unknown): FileRequest {
  const named = Array.isArray(headers) ? headers.filter(isMap) : [];
  const kept = named.filter(({ name }) => !OF_THE_BROWSER.test(String(name)));
  const status = isMap(response) && Number(response.status) >= 100 ? Number(response.status) : undefined;
  return {
    method: methodOf(method),
    path: pathOf(url),
    headers: Object.fromEntries(kept.map(({ name, value }) => headerOf(String(name), String(value)))),
    body: bodyOf(postData),
    weight: 1,
    ...statusOf(status === 304 ? 200 : status),
  };
}

function bodyOf(postData: unknown): FileRequest['body'] {
  if (!isMap(postData) || typeof postData.text !== 'string') return null;
  return postData.encoding === 'base64' ? base64Bytes(postData.text) : postData.text;
}
