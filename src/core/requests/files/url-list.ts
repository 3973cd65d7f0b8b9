import { type FileRequest, LineProblem, methodOf, pathOf, readEach } from './file-request.ts';
import { filledLines } from './lines.ts';

/**
 * A path or a URL on each line, of which path and query are used, as users of wrk, ab and h2load have them; siege's `URL POST BODY` as well.
 * What begins with `#` is a comment. Throws `UnusableRequests`.
 */
export function listedRequests(text: string, file: string): FileRequest[] {
  const lines = filledLines(text).filter(({ item }) => !item.startsWith('#'));
  return readEach(file, lines, (line): FileRequest => {
    const [target = '', method, ...rest] = line.split(/\s+/);
    const common = { path: pathOf(target), headers: {}, weight: 1 };
    if (method === undefined) return { ...common, body: null };
    const verb = methodOf(method);
    if (rest.join(' ').startsWith('<')) throw new LineProblem('takes its body from a file: write the body itself');
    return { ...common, method: verb, body: rest.length === 0 ? null : rest.join(' ') };
  });
}
