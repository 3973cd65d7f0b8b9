import { isMap } from '../../plain-data.ts';
import { requestTarget } from '../../values/request-url.ts';
import { UnusableRequests } from '../request-set.ts';

/** A request as a file has it; what it does not say is the endpoint's. */
export interface FileRequest {
  method?: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  /** In proportion to the others of the file. */
  weight: number;
  /** Status of its answer; by default the one that the endpoint expects. */
  status?: number;
  /** A file of the project that holds its body, as vegeta names one. */
  bodyFile?: string;
}

/** A line of a request file that is none; the message follows `FILE:LINE `. */
export class LineProblem extends Error {
  override name = 'LineProblem';
}

const METHOD = /^[A-Z]{1,20}$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
const CONTROL = /(?!\t)\p{Cc}/u;
const MOST_WEIGHT = 1_000_000;

/** Throws `LineProblem`. */
export function methodOf(method: unknown): string {
  if (typeof method === 'string' && METHOD.test(method.toUpperCase())) return method.toUpperCase();
  throw new LineProblem(`has the method ${shown(method)}: expected one such as GET`);
}

/** Of a whole address its path and query: where the service is, wrkbench knows. Throws `LineProblem`. */
export function pathOf(target: unknown): string {
  if (typeof target !== 'string' || target === '') throw new LineProblem('has no path or URL');
  const path = target.replace(/^[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  if (path === '' || path.startsWith('?')) return requestTarget(`/${path}`);
  if (path.startsWith('/')) return requestTarget(path);
  throw new LineProblem(`has the path ${shown(target)}: expected one that begins with /, or a URL`);
}

/** Throws `LineProblem`. */
export function headersOf(headers: unknown): Record<string, string> {
  if (headers === undefined || headers === null) return {};
  if (!isMap(headers)) throw new LineProblem('has headers that are no map from names to values');
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      // vegeta has a list of values for each name.
      const text = Array.isArray(value) ? value.join(', ') : String(value);
      return headerOf(name, text);
    }),
  );
}

/** Throws `LineProblem`. */
export function headerOf(name: string, value: string): [name: string, value: string] {
  if (!TOKEN.test(name)) throw new LineProblem(`has the header ${shown(name)}, which is no name of a header`);
  if (CONTROL.test(value)) throw new LineProblem(`has a control character in the header ${name}`);
  return [name, value];
}

/** Throws `LineProblem`. */
export function weightOf(weight: unknown): number {
  if (weight === undefined || weight === null) return 1;
  if (typeof weight === 'number' && weight > 0 && weight <= MOST_WEIGHT) return weight;
  throw new LineProblem(`has the weight ${shown(weight)}: expected a number above 0, ${MOST_WEIGHT} at most`);
}

/** Throws `LineProblem`. */
export function statusOf(status: unknown): Pick<FileRequest, 'status'> {
  if (status === undefined || status === null) return {};
  if (Number.isInteger(status) && (status as number) >= 100 && (status as number) <= 599)
    return { status: status as number };
  throw new LineProblem(`has the status ${shown(status)}: expected 100 to 599`);
}

/** Throws `LineProblem`. */
export function base64Bytes(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    throw new LineProblem('has a body that is not base64');
  }
}

const MOST_SHOWN = 60;

/** What a file's author wrote, on one line. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}

const MOST_PROBLEMS = 5;

/** The items of a file, each made of a line or more. Throws `UnusableRequests` with the first problems, a line each. */
export function readEach<Item>(
  file: string,
  items: Iterable<{ line: number; item: Item }>,
  read: (item: Item) => FileRequest | null,
): FileRequest[] {
  const found: FileRequest[] = [];
  const problems: string[] = [];
  for (const { line, item } of items) {
    try {
      const request = read(item);
      if (request !== null) found.push(request);
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      problems.push(`${file}:${line} ${error.message}`);
      if (problems.length > MOST_PROBLEMS) break;
    }
  }
  if (problems.length === 0) return found;
  const more = problems.length > MOST_PROBLEMS ? '\n… and there are more' : '';
  throw new UnusableRequests(`${problems.slice(0, MOST_PROBLEMS).join('\n')}${more}`);
}
