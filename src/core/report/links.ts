import { visible } from '../format/text.ts';

/** What wrkbench is, for who meets it for the first time. */
export const PROJECT_URL = 'https://github.com/wrkbench/wrkbench#readme';

/** What intervals, limits and error rates mean, which no report repeats. */
export const DECIDING_URL = 'https://github.com/wrkbench/wrkbench/blob/main/docs/deciding.md#how-it-is-decided';

/** Each part of a relative path encoded, so that it can be nothing but a path, in Markdown and in HTML. */
export function linkTarget(path: string): string {
  return visible(path)
    .replace(/^\/+/, '')
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/[()'!*]/g, (found) => `%${found.charCodeAt(0).toString(16)}`))
    .join('/');
}

/** An address with nothing in it that Markdown or HTML would take for their own; null for one that is not of the web. */
export function webTarget(address: string): string | null {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  return new URL(address).href.replace(/[()'"!*<>[\]\\`|{}^\s]/g, (found) => `%${found.charCodeAt(0).toString(16)}`);
}
