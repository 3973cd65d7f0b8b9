import { type FileRequest, headerOf, LineProblem, methodOf, pathOf, readEach } from './file-request.ts';
import { type NumberedLine, numberedLines } from './lines.ts';

/**
 * vegeta's `http` format: a line `METHOD URL`, its headers, and `@FILE` for its body, up to the next such line; what begins with `#` is a
 * comment. https://github.com/tsenart/vegeta#http-format. Throws `UnusableRequests`.
 */
export function vegetaTargets(text: string, file: string): FileRequest[] {
  const blocks: { line: number; item: NumberedLine[] }[] = [];
  for (const each of numberedLines(text)) {
    const item = each.item.trim();
    if (item === '' || item.startsWith('#')) continue;
    if (TARGET.test(item) || blocks.length === 0) blocks.push({ line: each.line, item: [] });
    blocks.at(-1)!.item.push({ line: each.line, item });
  }
  return readEach(file, blocks, ([first, ...rest]) => requestOf(first!.item, rest));
}

export const TARGET = /^[A-Za-z]{1,20}[ \t]+(?:[a-z][a-z0-9+.-]{0,20}:\/\/|\/)\S*$/;

function requestOf(target: string, rest: readonly NumberedLine[]): FileRequest {
  if (!TARGET.test(target)) throw new LineProblem('is no target: expected a method and a URL, as in GET /items');
  const [method, url] = target.split(/[ \t]+/);
  const bodies = rest.filter(({ item }) => item.startsWith('@'));
  if (bodies.length > 1) throw new LineProblem('has two bodies: expected one line that begins with @');
  const headers = rest.filter(({ item }) => !item.startsWith('@')).map(({ item }) => header(item));
  return {
    method: methodOf(method),
    path: pathOf(url),
    headers: Object.fromEntries(headers),
    body: null,
    weight: 1,
    ...(bodies[0] === undefined ? {} : { bodyFile: bodies[0].item.slice(1).trim() }),
  };
}

function header(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1)
    throw new LineProblem(
      `has a line below it that is neither a header nor @FILE: ${JSON.stringify(line.slice(0, 60))}`,
    );
  return headerOf(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
}
