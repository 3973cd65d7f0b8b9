import { type RepositoryFile, withoutComments } from '../files.ts';
import type { Method, Route } from './route.ts';

/** Files whose place is the path, and that hand out a function for each method: Next.js' `app` and SvelteKit's `routes`. */
const PLACE = /(?:^|\/)(?:app|routes)\/(?:(.+)\/)?(?:route|\+server)\.[jt]sx?$/;
/** Next.js' `pages`, where one function answers whatever the method is. */
const PAGE = /(?:^|\/)pages\/(api\/.+?)(?:\/index)?\.[jt]sx?$/;
const EXPORTED = /^export\s+(?:async\s+)?(?:function|const)\s+(GET|POST|PUT|PATCH|DELETE)\b/gm;

export function fileRoutes(files: readonly RepositoryFile[]): Route[] {
  return files.flatMap((file): Route[] => {
    const from = file.path;
    const page = PAGE.exec(from)?.[1];
    if (page !== undefined) return [{ method: 'GET', path: pathOf(page), from }];
    const place = PLACE.exec(from);
    if (place === null) return [];
    const methods = new Set([...withoutComments(file).matchAll(EXPORTED)].map(([, method]) => method as Method));
    return [...methods].map((method) => ({ method, path: pathOf(place[1] ?? ''), from }));
  });
}

/** `api/(own)/items/[id]`: what is in parentheses is no part of the path. */
function pathOf(place: string): string {
  const parts = place.split('/').filter((part) => part !== '' && !/^\(.*\)$/.test(part));
  return `/${parts.map((part) => part.replace(/^\[+(?:\.{3})?(\w+)\]+$/, '{$1}')).join('/')}`;
}
