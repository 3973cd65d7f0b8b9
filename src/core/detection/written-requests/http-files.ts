import { methodOf } from '../routes/route.ts';
import { filledIn, requestFilledIn, type WrittenRequest } from './written-request.ts';

const MOST = 200;
/** A variable that names itself twice would be twice as long in each line. */
const LONGEST_VALUE = 500;

/**
 * The requests of an `.http` or `.rest` file, as editors send them, and of a `.hurl` file.
 * Grammars: https://learn.microsoft.com/aspnet/core/test/http-files and https://hurl.dev/docs/grammar.html
 */
export function httpFileRequests(text: string): WrittenRequest[] {
  const lines = text.split(/\r?\n/, 20_000);
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^@([\w.-]{1,64})\s{0,9}=\s{0,9}(.{0,500})$/.exec(line) ?? [];
    if (name !== undefined) values.set(name, filledIn(value!.trim(), values).slice(0, LONGEST_VALUE));
  }
  const starts = lines.flatMap((line, at) => (requestLine(line) === null ? [] : [at]));
  return starts.slice(0, MOST).flatMap((start, index): WrittenRequest[] => {
    const all = lines.slice(start, starts[index + 1]);
    const end = all.findIndex((line) => /^(?:###|HTTP(?:\/\S+)?\s|> |<> |\[[A-Z]\w+\]$)/.test(line));
    const request = requestOf(end === -1 ? all : all.slice(0, end));
    return request === null ? [] : [requestFilledIn(request, values)];
  });
}

function requestLine(line: string): RegExpExecArray | null {
  return /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+(\S.*?)(?:\s+HTTP\/[\d.]+)?\s*$/.exec(line.slice(0, 5_000));
}

function requestOf([first, ...rest]: readonly string[]): WrittenRequest | null {
  const [, verb, start] = requestLine(first!)!;
  const method = methodOf(verb!);
  if (method === null) return null;
  // `    ?page=1` and `    &size=20` go on with the line before.
  const isMore = (line: string) => /^\s+[?&]/.test(line);
  const more = rest.slice(
    0,
    Math.max(
      0,
      rest.findIndex((line) => !isMore(line)),
    ),
  );
  const lines = rest.slice(more.length);
  // Some leave out the empty line before a body.
  const gap = lines.findIndex((line) => line.trim() === '' || /^\s*[[{]/.test(line));
  const headers = (gap === -1 ? lines : lines.slice(0, gap)).flatMap((line): [string, string][] => {
    const [, name, value] = /^([\w-]{1,64})\s{0,9}:\s{0,9}(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value!.trim()]];
  });
  const body = gap === -1 ? '' : lines.slice(gap).join('\n').trim();
  // A file that is sent, or a script that makes it.
  if (/^[<>]/.test(body)) return null;
  return { method, url: start! + more.map((line) => line.trim()).join(''), headers, body: body === '' ? null : body };
}
