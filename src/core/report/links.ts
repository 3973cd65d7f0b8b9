import { visible } from '../format/text.ts';

/** Each part of a relative path encoded, so that it can be nothing but a path, in Markdown and in HTML. */
export function linkTarget(path: string): string {
  return visible(path)
    .replace(/^\/+/, '')
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/[()'!*]/g, (found) => `%${found.charCodeAt(0).toString(16)}`))
    .join('/');
}
