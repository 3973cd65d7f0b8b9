import { methodOf } from '../routes/route.ts';
import { shellWords } from '../shell-words.ts';
import type { WrittenRequest } from './written-request.ts';

/** Options of curl whose value says nothing of the request. */
const WITH_VALUE =
  /^(?:-[oCmAewbcxKTEPQrtyYz]|--(?:output|max-time|connect-timeout|user-agent|referer|write-out|cookie|cookie-jar|proxy|cacert|cert|key|retry|retry-delay|resolve|user|form|upload-file|limit-rate|oauth2-bearer|unix-socket|interface|dump-header))$/;
/** Of one file; with more it is a manual. */
const MOST = 100;
const LONGEST = 10_000;

/** The `curl` commands of a text, such as a README. */
export function curlRequests(text: string): WrittenRequest[] {
  const lines = text.split('\n', 20_000);
  const found: WrittenRequest[] = [];
  for (let at = 0; at < lines.length && found.length < MOST; at += 1) {
    const start = /^\s{0,40}(?:[$>#%]\s|`)?\s?(?:sudo )?curl\s/.exec(lines[at]!);
    if (start === null) continue;
    let command = lines[at]!.slice(start[0].length);
    while (isUnfinished(command) && at + 1 < lines.length && command.length < LONGEST) {
      at += 1;
      command = `${command}\n${lines[at]!}`;
    }
    const request = requestOf(command.replaceAll(/\\\r?\n/g, ' ').slice(0, LONGEST));
    if (request !== null) found.push(request);
  }
  return found;
}

/** It goes on in the next line: behind a backslash, or between quotes. */
function isUnfinished(command: string): boolean {
  if (/\\\s?$/.test(command)) return true;
  const quotes = command.replaceAll(/\\./gs, '').replaceAll(/"[^"]*"|'[^']*'/g, '');
  return /["']/.test(quotes);
}

function requestOf(command: string): WrittenRequest | null {
  const words = shellWords(command.replace(/`\s*$/, ''));
  const end = words.findIndex((word) => /^(?:\||>|>>|&&|;|2>&1|#)$/.test(word));
  const own = (end === -1 ? words : words.slice(0, end)).map((word) => word.replace(/^(--[\w-]+)=(.*)$/s, '$1\n$2'));
  const rest = own.flatMap((word) => word.split(/(?<=^--[\w-]+)\n/));
  const headers: [string, string][] = [];
  const data: string[] = [];
  let method: string | null = null;
  let url: string | null = null;
  let isJson = false;
  let isQuery = false;
  for (let written = rest.shift(); written !== undefined; written = rest.shift()) {
    const [word, value] = shortOption(written);
    const next = () => value ?? rest.shift() ?? '';
    if (/^(?:-X|--request)$/.test(word)) method = next();
    else if (/^(?:-H|--header)$/.test(word)) headers.push(headerOf(next()));
    else if (/^(?:-d|--data(?:-raw|-binary|-ascii|-urlencode)?|--json)$/.test(word)) {
      isJson ||= word === '--json';
      data.push(next());
    } else if (word === '--url') url ??= next();
    else if (/^(?:-G|--get)$/.test(word)) isQuery = true;
    else if (/^(?:-I|--head)$/.test(word)) method = 'HEAD';
    else if (/^(?:-u|--user)$/.test(word)) headers.push(['authorization', next() === '' ? '' : 'Basic']);
    else if (/^(?:-F|--form)$/.test(word)) return null;
    else if (WITH_VALUE.test(word)) next();
    else if (!word.startsWith('-')) url ??= word;
  }
  const known = methodOf(method ?? (data.length > 0 && !isQuery ? 'POST' : 'GET'));
  // A file that is sent is not here.
  if (known === null || url === null || data.some((each) => each.startsWith('@'))) return null;
  const query = isQuery && data.length > 0 ? `${url.includes('?') ? '&' : '?'}${data.join('&')}` : '';
  if (isJson) headers.push(['content-type', 'application/json']);
  return { method: known, url: url + query, headers, body: data.length === 0 || isQuery ? null : data.join('&') };
}

/** `-XPOST` is `-X POST`, and `-sX` is `-s -X`. */
function shortOption(word: string): [string, string | null] {
  const [, flags, option, value] = /^-([sSkLivfg]*)([XHduFomAb])(.*)$/s.exec(word) ?? [];
  if (option === undefined || word.startsWith('--') || flags === undefined) return [word, null];
  return [`-${option}`, value === '' ? null : value!];
}

function headerOf(text: string): [string, string] {
  const at = text.indexOf(':');
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
