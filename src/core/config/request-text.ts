import { counted } from '../format/figures.ts';
import type { Endpoint } from './resolved.ts';

/**
 * What an endpoint is asked, in a few words: `GET /items`, `GET /items/{id}, 1,000 requests, shuffled`, `items 8, item 2, shuffled`.
 * `requests`: how many different ones there are, where that is known.
 */
export function requestText(
  { method, path, values, requests: file, mix }: Endpoint,
  { basePath = '', requests = null }: { basePath?: string; requests?: number | null } = {},
): string {
  const differing = values !== undefined || file !== undefined || mix !== undefined;
  const parts = [
    mix !== undefined
      ? Object.entries(mix)
          .map(([name, weight]) => `${name} ${weight}`)
          .join(', ')
      : file !== undefined
        ? `requests of ${file}`
        : `${method} ${basePath}${path}`,
    ...(differing && requests !== null ? [counted(requests, 'request')] : []),
    ...(differing ? ['shuffled'] : []),
  ];
  return parts.join(', ');
}
